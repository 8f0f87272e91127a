/* Calls every function of andante.h at least 1,000 times, with arguments that make sense and with such that do not, and then says
 * of each how often it was carried out and how often refused. Made to be run with sanitizers.
 *
 *   stress FOLDER [ROUNDS [SEED]]     FOLDER is for files
 *   stress leak                       a handle is not freed: a sanitizer that looks for leaks must say so
 */
#define _POSIX_C_SOURCE 200809L
#include "andante.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- what is counted */

enum { MOST = 256 };
static struct {
    const char *name;
    unsigned long done, refused;
} tallies[MOST];

static void wrong(const char *name, const char *what) {
    fprintf(stderr, "%s: %s: %s\n", name, what, andante_last_error());
    exit(1);
}

static void count(const char *name, int refused) {
    int i = 0;
    while (i < MOST - 1 && tallies[i].name && strcmp(tallies[i].name, name) != 0) i++;
    tallies[i].name = name;
    if (refused) {
        tallies[i].refused++;
    } else {
        tallies[i].done++;
    }
}

static andante_status tally(const char *name, andante_status status) {
    count(name, status != ANDANTE_OK);
    if (status < ANDANTE_OK || status > ANDANTE_PANIC) wrong(name, "no status");
    if (status == ANDANTE_PANIC) wrong(name, "panicked");
    if (status != ANDANTE_OK && andante_last_error()[0] == '\0') wrong(name, "no reason");
    return status;
}

#define CALL(name, ...) tally(#name, name(__VA_ARGS__))
#define FREE(name, handle) (count(#name, 0), name(handle))

/* ---- arguments that make sense, and others */

static unsigned long long state = 1;
static unsigned any(unsigned below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}
static int rarely(void) { return any(8) == 0; }

static float number(float least, float most) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e30f, -1e9f, 1e-38f, -0.0f, 1e5f};
    if (rarely()) return odd[any(sizeof odd / sizeof *odd)];
    return least + (most - least) * (float)any(1001) / 1000.0f;
}
/* Without those that only say "not said". */
static float plain(float least, float most) { return least + (most - least) * (float)any(1001) / 1000.0f; }

static size_t below(size_t most) {
    static const size_t odd[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1, 1u << 20, 0x80000000u};
    return rarely() ? odd[any(5)] : any((unsigned)most);
}

/* A length of something that is so long, or one that nothing has. Others would be lies, which nobody can see through. */
static size_t length_of(size_t most) {
    static const size_t odd[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1};
    return rarely() ? odd[any(3)] : any((unsigned)most + 1);
}

static const char *words(const char *good) {
    static const char *const odd[] = {NULL, "", "\xff\xfe\x80", "no such thing", "a\nb", "../../../etc/passwd",
                                      "0123456789012345678901234567890123456789012345678901234567890123456789"};
    return rarely() ? odd[any(7)] : good;
}

static andante_waypoint place(void) {
    andante_waypoint to = {number(-8, 8), number(-8, 8), NAN, NAN};
    if (any(4) == 0) to.height = number(-1, 1);
    if (any(4) == 0) to.heading = number(-4, 4);
    return to;
}

#define OR_NULL(pointer) (rarely() ? NULL : (pointer))

/* ---- ground of our own */

static int asked, placed, released;
static float waves(void *user, float x, float z, float from_y, float *normal) {
    const int *kind = user;
    __atomic_fetch_add(&asked, 1, __ATOMIC_SEQ_CST);
    float height = 0.05f * sinf(x);
    normal[0] = -0.05f * cosf(x);
    switch (*kind) {
    case 1: return NAN;
    case 2: normal[1] = NAN; break;
    case 3: return INFINITY;
    case 4: normal[0] = normal[1] = normal[2] = 0.0f; break;
    case 5: return from_y > 1.0f ? height + 1e6f : height; /* above what was asked for */
    default: break;
    }
    (void)z;
    return height;
}
static void release(void *user) {
    __atomic_fetch_add(&released, 1, __ATOMIC_SEQ_CST);
    free(user);
}

static andante_walker *again;
static float asks_again(void *user, float x, float z, float from_y, float *normal) {
    (void)user, (void)x, (void)z, (void)from_y, (void)normal;
    if (andante_walker_step(again, 0.1f, 1, 0, NULL, NULL, NULL) != ANDANTE_BUSY) wrong("andante_walker_step", "not busy");
    return 0.0f;
}

/* ---- one thing after the other */

static const char *folder;
enum { ROOM = 128 };
static andante_transform poses[4 * ROOM];
static float numbers[16 * ROOM];
static char chars[256];

static andante_character *human;
static andante_skeleton *bones;
static size_t joints;
static unsigned char *glb;
static char kept[512];
static size_t glb_length;

static void try_skeletons(void) {
    andante_skeleton *made = NULL;
    const andante_transform still = {{0, 0, 0, 1}, {0, plain(0, 1), 0}};
    andante_joint own[3] = {{words("hips"), rarely() ? 1 : -1, still},
                            {words("knee"), (int32_t)any(3) - 1, still},
                            {words("foot"), rarely() ? -7 : 1, still}};
    own[2].rest.rotation[3] = number(1, 1);
    CALL(andante_skeleton_new, OR_NULL(own), rarely() ? length_of(3) : 3, OR_NULL(&made));
    const andante_skeleton *skeleton = made ? made : bones;
    size_t found;
    andante_joint joint;
    CALL(andante_skeleton_joint_count, OR_NULL(skeleton), OR_NULL(&found));
    CALL(andante_skeleton_joint, OR_NULL(skeleton), below(3), OR_NULL(&joint));
    CALL(andante_skeleton_find, OR_NULL(skeleton), words("knee"), OR_NULL(&found));
    size_t given = joints;
    if (any(4) == 0) given = any(ROOM);
    CALL(andante_skeleton_models, OR_NULL(bones), OR_NULL(poses), given, OR_NULL(poses), any(ROOM));
    CALL(andante_matrices, OR_NULL(poses), any(ROOM), OR_NULL(numbers), any(16 * ROOM));
    FREE(andante_skeleton_free, made);
}

static void try_assets(void) {
    static andante_transform frames[3 * ROOM];
    char path[512];
    static const char *const names[] = {"a.glb", "b.bvh", "c.gltf", "d.amc", "e.png", "none/f.glb"};
    andante_asset *asset = NULL, *other = NULL;
    CALL(andante_asset_new, OR_NULL(bones), OR_NULL(&asset));
    for (size_t i = 0; i < 3 * joints; i++) {
        const andante_transform still = {{0, 0, 0, rarely() && rarely() ? number(1, 1) : 1}, {0, 0.1f * (float)i, 0}};
        frames[i] = still;
    }
    CALL(andante_asset_add_clip, OR_NULL(asset), words("clip"), number(30, 60), OR_NULL(frames),
         rarely() ? any(3 * ROOM) : 3 * joints);
    snprintf(path, sizeof path, "%s/%s", folder, names[any(6)]);
    if (any(10) == 0) CALL(andante_asset_write, OR_NULL(asset), OR_NULL(path));
    CALL(andante_asset_write, any(2) ? NULL : asset, any(2) ? NULL : "nothing.png");
    if (any(4) == 0) CALL(andante_asset_read, OR_NULL(path), OR_NULL(&other));
    FREE(andante_asset_free, other);
    other = NULL;
    CALL(andante_asset_read, words("/nowhere.bvh"), OR_NULL(&other));
    FREE(andante_asset_free, other);
    other = NULL;
    /* A whole file now and then; otherwise one that is cut short, or with a byte in it that is another. */
    size_t length = any(4) == 0 ? glb_length : any((unsigned)glb_length);
    const size_t at = any((unsigned)glb_length);
    const unsigned char was = glb[at];
    if (any(2)) glb[at] = (unsigned char)any(256);
    CALL(andante_asset_read_memory, words("x.glb"), OR_NULL(glb), length, OR_NULL(&other));
    glb[at] = was;
    FREE(andante_asset_free, other);
    other = NULL;
    static const char bvh[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
                              "OFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n0 9 0\n";
    CALL(andante_asset_read_memory, words("x.bvh"), (const uint8_t *)bvh, rarely() ? any(sizeof bvh) : sizeof bvh - 1,
         OR_NULL(&other));
    andante_asset *subject = asset && any(2) ? asset : other;
    andante_skeleton *copy = NULL;
    andante_clip clip;
    const char *text;
    size_t found;
    CALL(andante_asset_skeleton, OR_NULL(subject), OR_NULL(&copy));
    FREE(andante_skeleton_free, copy);
    CALL(andante_asset_clip_count, OR_NULL(subject), OR_NULL(&found));
    if (CALL(andante_asset_clip, OR_NULL(subject), below(2), &clip) == ANDANTE_OK && strlen(clip.name) > 200) abort();
    CALL(andante_asset_sample, OR_NULL(subject), below(2), number(-1, 3), any(2), OR_NULL(poses), any(ROOM));
    CALL(andante_asset_warning_count, OR_NULL(subject), OR_NULL(&found));
    CALL(andante_asset_warning, OR_NULL(subject), below(2), OR_NULL(&text));
    FREE(andante_asset_free, asset);
    FREE(andante_asset_free, other);
}

static void try_characters(void) {
    andante_character *made = NULL;
    CALL(andante_character_humanoid, number(0.6f, 2.5f), OR_NULL(&made));
    const andante_character *own = made ? made : human;
    andante_skeleton *copy = NULL;
    size_t found;
    const char *text;
    CALL(andante_character_skeleton, OR_NULL(own), OR_NULL(&copy));
    FREE(andante_skeleton_free, copy);
    CALL(andante_character_foot_count, OR_NULL(own), OR_NULL(&found));
    CALL(andante_character_clip_count, OR_NULL(own), OR_NULL(&found));
    CALL(andante_character_clip_name, OR_NULL(own), below(9), OR_NULL(&text));
    CALL(andante_character_warning_count, OR_NULL(own), OR_NULL(&found));
    CALL(andante_character_warning, OR_NULL(own), below(2), OR_NULL(&text));
    CALL(andante_character_glb, OR_NULL(own), any(2) ? NULL : (uint8_t *)chars, any(2) ? 0 : sizeof chars, OR_NULL(&found));
    FREE(andante_character_free, made);
    made = NULL;
    CALL(andante_character_read, words(any(10) ? "/nowhere.glb" : kept), any(4) ? NAN : number(1, 2), OR_NULL(&made));
    FREE(andante_character_free, made);
    made = NULL;
    size_t length = any(16) == 0 ? glb_length : any((unsigned)glb_length);
    CALL(andante_character_read_memory, words("x.glb"), OR_NULL(glb), length, NAN, OR_NULL(&made));
    FREE(andante_character_free, made);
}

static void try_players(andante_player **player) {
    andante_placement to = {number(-9, 9), number(-9, 9), number(-4, 4)};
    bool heel, ball;
    if (any(50) == 0) {
        FREE(andante_player_free, *player);
        *player = NULL;
    }
    andante_player *other = NULL;
    CALL(andante_player_new, OR_NULL(human), OR_NULL(&other));
    if (!*player) {
        *player = other;
    } else {
        FREE(andante_player_free, other);
    }
    CALL(andante_player_advance, OR_NULL(*player), number(0, 0.1f), number(-1, 6), number(-2, 2));
    CALL(andante_player_place, OR_NULL(*player), to);
    CALL(andante_player_set_phase, OR_NULL(*player), number(0, 1));
    CALL(andante_player_placement, OR_NULL(*player), OR_NULL(&to));
    CALL(andante_player_pose, OR_NULL(*player), OR_NULL(poses), any(ROOM));
    CALL(andante_player_models, OR_NULL(*player), OR_NULL(poses), any(ROOM));
    CALL(andante_player_contact, OR_NULL(*player), below(2), OR_NULL(&heel), OR_NULL(&ball));
}

static void try_walkers(andante_walker **walker) {
    const andante_placement to = {number(-9, 9), number(-9, 9), number(-4, 4)};
    static const char *const clips[] = {"walk", "stand", "run", "jump"};
    bool heel, ball;
    int kind = (int)any(9);
    andante_walk walk;
    if (any(50) == 0) {
        FREE(andante_walker_free, *walker);
        *walker = NULL;
    }
    andante_walker *other = NULL;
    CALL(andante_walker_new, OR_NULL(human), words("walk"), to, number(-1, 1), OR_NULL(&other));
    if (!*walker) {
        *walker = other;
    } else {
        FREE(andante_walker_free, other);
    }
    CALL(andante_walker_play, OR_NULL(*walker), words(clips[any(4)]));
    CALL(andante_walker_step, OR_NULL(*walker), number(0, 0.2f), number(0, 2), number(-1, 1), any(4) ? waves : NULL, &kind,
         OR_NULL(&walk));
    if (*walker && any(10) == 0) {
        again = *walker;
        CALL(andante_walker_step, again, 0.1f, 1.0f, 0.0f, asks_again, NULL, NULL);
    }
    if (CALL(andante_walker_pose, OR_NULL(*walker), OR_NULL(poses), any(ROOM)) == ANDANTE_OK)
        for (size_t i = 0; i < joints; i++)
            if (!isfinite(poses[i].translation[1])) wrong("andante_walker_pose", "not a number");
    CALL(andante_walker_models, OR_NULL(*walker), OR_NULL(poses), any(ROOM));
    CALL(andante_walker_contact, OR_NULL(*walker), below(2), OR_NULL(&heel), OR_NULL(&ball));
}

static const char yard[] = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n"
                           "[[character]]\nstart = { at = [0, 0] }\n";

static uint32_t somebody(void) { return rarely() ? (any(2) ? ANDANTE_NOBODY : any(3000)) : any(6); }

static void try_stages(andante_stage **stage) {
    if (any(100) == 0) {
        FREE(andante_stage_free, *stage);
        *stage = NULL;
    }
    andante_stage *other = NULL;
    CALL(andante_stage_built_in, words(any(4) ? "yard" : "turns"), any(9), OR_NULL(&other));
    FREE(andante_stage_free, other);
    other = NULL;
    CALL(andante_stage_read, words(yard), any(9), OR_NULL(&other));
    if (!*stage) {
        *stage = other;
    } else {
        FREE(andante_stage_free, other);
    }
    andante_stage *own = OR_NULL(*stage);
    size_t found = 0;
    double time;
    uint32_t number_of, all[64];
    CALL(andante_stage_time, own, OR_NULL(&time));
    CALL(andante_stage_actor_count, *stage, &found);
    const andante_part part = {words("somebody"), place(), any(3) ? NULL : human, any(2), any(2),
                               rarely() ? (int32_t)any(9) - 4 : (int32_t)any(3)};
    if (found < 6) CALL(andante_stage_spawn, own, OR_NULL(&part), OR_NULL(&number_of));
    CALL(andante_stage_spawn, own, OR_NULL(&part), NULL);
    CALL(andante_stage_actor_count, own, OR_NULL(&found));
    CALL(andante_stage_actors, own, OR_NULL(all), any(12));
    /* Numbers of those who are here, most of the time. */
    uint32_t who = somebody();
    if (*stage && andante_stage_actor_count(*stage, &found) == ANDANTE_OK && found > 0 && found <= 64 &&
        andante_stage_actors(*stage, all, 64) == ANDANTE_OK && any(6))
        who = all[any((unsigned)found)];
    switch (any(4)) { /* what is told last is done */
    case 0: CALL(andante_stage_go_to, own, who, place(), any(2)); break;
    case 1: CALL(andante_stage_steer, own, who, plain(0, 2), plain(-1, 1)); break;
    default: break;
    }
    const andante_waypoint places[4] = {place(), place(), place(), place()};
    CALL(andante_stage_go_to, own, who, place(), any(2));
    CALL(andante_stage_follow_line, own, who, OR_NULL(places), any(5), any(2));
    CALL(andante_stage_follow, own, who, somebody(), number(0.5f, 3));
    CALL(andante_stage_wait, own, who, number(0, 3));
    CALL(andante_stage_face, own, who, number(-4, 4));
    CALL(andante_stage_look_at, own, who, somebody());
    CALL(andante_stage_look_at_point, own, who, number(-4, 4), number(0, 2), number(-4, 4));
    CALL(andante_stage_set_speed, own, who, number(0.3f, 3));
    CALL(andante_stage_steer, own, who, number(-1, 4), number(-1, 1));
    CALL(andante_stage_jump, own, who, number(-4, 4), number(-4, 4), number(-4, 4), number(-4, 4));
    CALL(andante_stage_push, own, who, number(0, 80), number(-4, 4));
    CALL(andante_stage_fall, own, who);
    CALL(andante_stage_get_up, own, who);
    CALL(andante_stage_stop, own, who);
    CALL(andante_stage_teleport, own, who, place());
    CALL(andante_stage_reset, own, who);
    if (any(2)) CALL(andante_stage_go_to, own, who, place(), any(2));
    CALL(andante_stage_place_box, own, words("box"), number(-8, 8), number(0, 1), number(-8, 8), number(0.2f, 2), number(0.1f, 2),
         number(0.2f, 2), number(-4, 4));
    CALL(andante_stage_place_cylinder, own, words("post"), number(-8, 8), number(0, 1), number(-8, 8), number(0.1f, 1),
         number(0.1f, 2));
    CALL(andante_stage_remove_obstacle, own, words(any(2) ? "box" : "post"));
    float corners[8] = {9, -4, 14, -4, 14, 4, 9, 4};
    if (rarely()) corners[any(8)] = number(-9, 9);
    int *kind = malloc(sizeof *kind);
    if (!kind) abort();
    *kind = (int)any(7);
    placed++;
    CALL(andante_stage_place_ground, own, words("beside"), OR_NULL(corners), rarely() ? length_of(4) : 4, number(0, 0.2f),
         any(4) ? waves : NULL, kind, release);
    if (any(2)) CALL(andante_stage_remove_ground, own, words("beside"));
    CALL(andante_stage_remove_ground, own, words("nowhere"));
    CALL(andante_stage_step, own, number(0, 0.15f));
    andante_actor actor;
    andante_event event;
    andante_footfall fall;
    andante_plan plan;
    andante_footprint prints[64];
    andante_skeleton *copy = NULL;
    bool heel, ball;
    CALL(andante_stage_actor, own, who, OR_NULL(&actor));
    CALL(andante_stage_actor_name, own, who, any(2) ? chars : NULL, any(2) ? sizeof chars : any(4), OR_NULL(&found));
    CALL(andante_stage_actor_doing, own, who, any(2) ? chars : NULL, any(2) ? sizeof chars : any(4), OR_NULL(&found));
    CALL(andante_stage_skeleton, own, who, OR_NULL(&copy));
    FREE(andante_skeleton_free, copy);
    CALL(andante_stage_pose, own, who, OR_NULL(poses), any(ROOM));
    if (CALL(andante_stage_models, own, who, OR_NULL(poses), any(ROOM)) == ANDANTE_OK)
        if (!isfinite(poses[0].translation[1])) wrong("andante_stage_models", "not a number");
    CALL(andante_stage_contact, own, who, below(2), OR_NULL(&heel), OR_NULL(&ball));
    CALL(andante_stage_event_count, own, OR_NULL(&found));
    if (CALL(andante_stage_event, own, below(3), &event) == ANDANTE_OK && (!event.word[0] || !event.text[0])) abort();
    CALL(andante_stage_footfall_count, own, OR_NULL(&found));
    CALL(andante_stage_footfall, own, below(2), OR_NULL(&fall));
    /* Plans take their time: one of four is asked for as it should be. */
    CALL(andante_stage_plan, any(4) ? NULL : *stage, who, place(), any(2), OR_NULL(&plan), any(2) ? prints : NULL, any(65));
    CALL(andante_stage_despawn, any(4) ? NULL : own, any(3) ? who : somebody());
}

static void try_bodies(andante_body **body) {
    static const char *const creatures[] = {"humanoid", "dog", "insect", "monster"};
    static const char ball[] = "version = 1\nname = \"ball\"\ntorso = \"ball\"\n[[segment]]\nname = \"ball\"\nmass = 1\n"
                               "shapes = [{ sphere = { center = [0, 1, 0], radius = 0.1 } }]\n";
    if (any(50) == 0) {
        FREE(andante_body_free, *body);
        *body = NULL;
    }
    andante_body *other = NULL;
    CALL(andante_body_read, words(ball), rarely(), OR_NULL(&other));
    FREE(andante_body_free, other);
    other = NULL;
    CALL(andante_body_creature, words(creatures[any(4)]), any(2), OR_NULL(&other));
    if (!*body) {
        *body = other;
    } else {
        FREE(andante_body_free, other);
    }
    andante_body *own = OR_NULL(*body);
    const float impulse[3] = {number(-9, 9), number(-9, 9), number(-9, 9)}, at[3] = {number(-1, 1), number(0, 2), number(-1, 1)};
    andante_segment segment;
    andante_condition condition;
    size_t found;
    double time;
    float centre[3];
    CALL(andante_body_push, own, number(0, 60), number(-4, 4));
    CALL(andante_body_impulse, own, below(5), OR_NULL(impulse), OR_NULL(at));
    CALL(andante_body_step, own, number(0, 0.05f));
    CALL(andante_body_segment_count, own, OR_NULL(&found));
    CALL(andante_body_segment, own, below(5), OR_NULL(&segment));
    if (CALL(andante_body_pose, own, OR_NULL(poses), any(ROOM)) == ANDANTE_OK)
        if (!isfinite(poses[0].translation[1])) wrong("andante_body_pose", "not a number");
    if (CALL(andante_body_condition, own, OR_NULL(&condition)) == ANDANTE_OK && condition > ANDANTE_STAND) abort();
    CALL(andante_body_state, own, OR_NULL(centre), OR_NULL(&time));
    CALL(andante_body_reset, any(4) ? NULL : own, number(0, 2));
}

/* ---- two threads, one handle: each call is carried out or refused as busy, and reasons are each thread's own */

static void *hammer(void *handle) {
    for (int i = 0; i < 2000; i++) {
        const andante_status status = andante_stage_step(handle, 1 / 60.0f);
        if (status != ANDANTE_OK && status != ANDANTE_BUSY) wrong("andante_stage_step", "two threads");
        andante_actor actor;
        if (andante_stage_actor(handle, 7777, &actor) == ANDANTE_GONE && !strstr(andante_last_error(), "7778"))
            wrong("andante_stage_actor", "the reason of another");
    }
    return NULL;
}

static void try_threads(void) {
    andante_stage *stage = NULL;
    if (andante_stage_read(yard, 1, &stage) != ANDANTE_OK) wrong("andante_stage_read", "no yard");
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, hammer, stage)) abort();
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    andante_stage_free(stage);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: stress FOLDER [ROUNDS [SEED]]\n");
        return 2;
    }
    if (andante_character_humanoid(NAN, &human) != ANDANTE_OK) wrong("andante_character_humanoid", "none");
    if (strcmp(argv[1], "leak") == 0) {
        human = NULL;
        return 0;
    }
    folder = argv[1];
    const int rounds = argc > 2 ? atoi(argv[2]) : 1000;
    if (argc > 3) state = strtoull(argv[3], NULL, 10);
    if (andante_character_skeleton(human, &bones) != ANDANTE_OK) wrong("andante_character_skeleton", "none");
    andante_skeleton_joint_count(bones, &joints);
    andante_character_glb(human, NULL, 0, &glb_length);
    glb = malloc(glb_length);
    if (!glb || andante_character_glb(human, glb, glb_length, NULL) != ANDANTE_OK) wrong("andante_character_glb", "none");
    snprintf(kept, sizeof kept, "%s/human.glb", folder);
    FILE *file = fopen(kept, "wb");
    if (!file || fwrite(glb, 1, glb_length, file) != glb_length || fclose(file)) abort();
    andante_player *player = NULL;
    andante_walker *walker = NULL;
    andante_stage *stage = NULL;
    andante_body *body = NULL;
    for (int round = 0; round < rounds; round++) {
        count("andante_version", strlen(andante_version()) == 0);
        count("andante_abi", andante_abi() != ANDANTE_ABI);
        count("andante_last_error", andante_last_error() == NULL);
        try_skeletons();
        try_assets();
        try_characters();
        try_players(&player);
        try_walkers(&walker);
        try_stages(&stage);
        try_bodies(&body);
    }
    try_threads();
    FREE(andante_player_free, player);
    FREE(andante_walker_free, walker);
    FREE(andante_stage_free, stage);
    FREE(andante_body_free, body);
    andante_skeleton_free(bones);
    andante_character_free(human);
    free(glb);
    for (int i = 0; i < MOST && tallies[i].name; i++)
        printf("%s %lu %lu\n", tallies[i].name, tallies[i].done, tallies[i].refused);
    /* Plans that are still being made ask for ground; when they are done it is released, each once. */
    for (int i = 0; i < 3000 && __atomic_load_n(&released, __ATOMIC_SEQ_CST) < placed; i++) {
        const struct timespec moment = {0, 10000000};
        nanosleep(&moment, NULL);
    }
    fprintf(stderr, "ground asked %d times; %d given, %d released\n", asked, placed, released);
    return asked > 0 && released == placed ? 0 : 1;
}
