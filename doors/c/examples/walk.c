/* Somebody walks over hills of the program's own, is led by hand on level ground, and what it did becomes a file.
 *
 *   walk [OUT.glb [CHARACTER.glb]]
 */
#include "andante.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Leaves with the library's own words if a call was refused. */
static void must(andante_status status) {
    if (status != ANDANTE_OK) {
        fprintf(stderr, "error: %s\n", andante_last_error());
        exit(1);
    }
}

/* The program's own ground: an engine would ask its colliders. */
static float hills(void *user, float x, float z, float from_y, float *normal) {
    const float high = *(const float *)user;
    const float height = high * sinf(1.5f * z) * cosf(0.7f * x);
    normal[0] = 0.7f * high * sinf(1.5f * z) * sinf(0.7f * x);
    normal[2] = -1.5f * high * cosf(1.5f * z) * cosf(0.7f * x);
    return height <= from_y ? height : NAN;
}

int main(int argc, char **argv) {
    if (andante_abi() != ANDANTE_ABI) {
        fprintf(stderr, "error: compiled for another version than %s\n", andante_version());
        return 1;
    }
    andante_character *character = NULL;
    if (argc > 2) {
        must(andante_character_read(argv[2], NAN, &character));
    } else {
        must(andante_character_humanoid(NAN, &character));
    }
    andante_skeleton *skeleton = NULL;
    must(andante_character_skeleton(character, &skeleton));
    size_t joints = 0;
    must(andante_skeleton_joint_count(skeleton, &joints));

    /* Ten seconds over hills, a frame of 60 a second after the other. */
    enum { FRAMES = 600 };
    andante_transform *frames = malloc(FRAMES * joints * sizeof *frames);
    if (!frames) return 1;
    float high = 0.2f;
    andante_walker *walker = NULL;
    const andante_placement origin = {0.0f, 0.0f, 0.0f};
    must(andante_walker_new(character, "walk", origin, 0.0f, &walker));
    andante_walk walk;
    float worst = 0.0f;
    for (int frame = 0; frame < FRAMES; frame++) {
        const float turn = frame < 300 ? 0.0f : 0.3f;
        must(andante_walker_step(walker, 1.0f / 60.0f, 1.0f, turn, hills, &high, &walk));
        must(andante_walker_pose(walker, frames + frame * joints, joints));
        worst = fmaxf(worst, walk.residual);
    }
    printf("over hills: at (%.2f, %.2f), facing %.0f degrees, ankles within %.1f mm\n", walk.place.x,
           walk.place.z, walk.place.heading * 57.29578f, 1000.0f * worst);

    /* Five seconds by hand: faster and faster, to the left. */
    andante_player *player = NULL;
    must(andante_player_new(character, &player));
    andante_placement place;
    for (int frame = 0; frame < 300; frame++) {
        must(andante_player_advance(player, 1.0f / 60.0f, 0.01f * (float)frame, 0.2f));
    }
    must(andante_player_placement(player, &place));
    printf("by hand: at (%.2f, %.2f)\n", place.x, place.z);

    /* What a renderer wants: 16 numbers for each joint. */
    float *matrices = malloc(16 * joints * sizeof *matrices);
    if (!matrices) return 1;
    andante_transform *models = malloc(joints * sizeof *models);
    if (!models) return 1;
    must(andante_player_models(player, models, joints));
    must(andante_matrices(models, joints, matrices, 16 * joints));
    printf("joint 0 is at (%.2f, %.2f, %.2f)\n", matrices[12], matrices[13], matrices[14]);

    if (argc > 1) {
        andante_asset *asset = NULL;
        must(andante_asset_new(skeleton, &asset));
        must(andante_asset_add_clip(asset, "over hills", 60.0f, frames, FRAMES * joints));
        must(andante_asset_write(asset, argv[1]));
        andante_asset_free(asset);
    }
    free(models);
    free(matrices);
    free(frames);
    andante_player_free(player);
    andante_walker_free(walker);
    andante_skeleton_free(skeleton);
    andante_character_free(character);
    return 0;
}
