/* Andante for C and C++: characters that walk.
 *
 * This file is made of the Rust side by cbindgen; change that.
 *
 * Calls return a status. ANDANTE_OK is 0; after anything else andante_last_error() has the reason in words, and what was asked
 * for has changed nothing, unless it says otherwise. What is told goes to pointers of the caller's, which are written by calls
 * that succeed; a handle that cannot be made is null, and the number of somebody who cannot come is ANDANTE_NOBODY. Null, numbers that are none (NAN) or out of range,
 * texts that are not UTF-8 and buffers that are too small are refused. Nothing here aborts, and no panic gets out.
 *
 * Who frees what: a handle that a call makes is the caller's, and is freed once by the function of its name that ends in _free.
 * Handles do not need each other: a character may be freed while a stage still plays it. Buffers are the caller's. Texts that are
 * told as const char * are the library's: they stay as long as it says, and are not freed.
 *
 * Threads: any thread may use any handle, and different handles at the same time. A handle that is used by two threads at once, or
 * by a function that it calls back, answers ANDANTE_BUSY to the second. Skeletons and characters never change and can be read by
 * any number of threads. A handle must not be freed while another thread uses it. andante_last_error() is each thread's own.
 *
 * Right-handed, Y up; characters face +Z at rest, and their left is +X. Metres, seconds, radians, kilograms. A heading is the
 * rotation about +Y from +Z towards +X: positive turns left.
 */

#ifndef ANDANTE_H
#define ANDANTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Goes up when a program has to be compiled anew: compare it with andante_abi().
 */
#define ANDANTE_ABI 1

/**
 * Stands for nobody where the number of somebody on a stage is asked for or told.
 */
#define ANDANTE_NOBODY 4294967295

/**
 * What became of a call.
 */
typedef enum andante_status {
  /**
   * It was done.
   */
  ANDANTE_OK = 0,
  /**
   * A pointer is null that may not be, or not aligned.
   */
  ANDANTE_NULL = 1,
  /**
   * A number, a text or an index is not one that it may be.
   */
  ANDANTE_ARGUMENT = 2,
  /**
   * A buffer of the caller's is too small; the text says how large it has to be.
   */
  ANDANTE_BUFFER = 3,
  /**
   * A file or a text cannot be read; the text says where, as far as line and column.
   */
  ANDANTE_READ = 4,
  /**
   * A file cannot be written.
   */
  ANDANTE_WRITE = 5,
  /**
   * A character or a body cannot do that: its joints are not understood, say, or it has no two feet.
   */
  ANDANTE_CHARACTER = 6,
  /**
   * Somebody is meant who is not on the stage, or not any more.
   */
  ANDANTE_GONE = 7,
  /**
   * It makes no sense as things are, or cannot be done.
   */
  ANDANTE_REFUSED = 8,
  /**
   * The handle is in use: by another thread, or by the call that called back.
   */
  ANDANTE_BUSY = 9,
  /**
   * A fault of the library. The handle answers nothing else from now on; free it.
   */
  ANDANTE_PANIC = 10,
} andante_status;

/**
 * How a body is.
 */
typedef enum andante_condition {
  /**
   * Nothing drives it but its springs.
   */
  ANDANTE_LIMP = 0,
  /**
   * It keeps its balance.
   */
  ANDANTE_BALANCE = 1,
  /**
   * It falls so that its head is spared.
   */
  ANDANTE_FALL = 2,
  /**
   * It lies.
   */
  ANDANTE_LIE = 3,
  /**
   * It gets up.
   */
  ANDANTE_GET_UP = 4,
  /**
   * It is on its feet and comes upright.
   */
  ANDANTE_STAND = 5,
} andante_condition;

/**
 * What a file holds: a skeleton, motions, and perhaps a mesh. BVH, ASF/AMC, glTF and GLB are read and written, in metres with Y
 * up, whatever they were in.
 */
typedef struct andante_asset andante_asset;

/**
 * A body of rigid segments in a simulation of its own, on level ground.
 */
typedef struct andante_body andante_body;

/**
 * A character: joints and what they are for, and what it can do. It never changes: any number of threads may read it, and any
 * number of players, walkers and stages share it. It may be freed while they still play it.
 */
typedef struct andante_character andante_character;

/**
 * A character that walks and runs at any speed and turn, on level ground, without its feet sliding.
 */
typedef struct andante_player andante_player;

/**
 * A tree of joints, parents before children, with its rest pose. It never changes: any number of threads may read it at once.
 */
typedef struct andante_skeleton andante_skeleton;

/**
 * A scene that is being played: a world, and characters in it that do what they are told. Everybody on it has a number that is
 * never another's: those of the scene 0, 1, 2... in its order, and whoever comes later the next one.
 */
typedef struct andante_stage andante_stage;

/**
 * A character that plays its clips over any ground: it looks for footholds ahead, stops where there are none, and lets its body
 * follow its feet.
 */
typedef struct andante_walker andante_walker;

/**
 * A rotation and a place, 28 bytes: right-handed, Y up, metres. A character faces +Z at rest, and its left is +X.
 */
typedef struct andante_transform {
  /**
   * A unit quaternion: x, y, z, w.
   */
  float rotation[4];
  /**
   * x, y, z in metres.
   */
  float translation[3];
} andante_transform;

/**
 * One motion of an asset.
 */
typedef struct andante_clip {
  /**
   * Its name; stays as long as the asset.
   */
  const char *name;
  /**
   * Frames per second.
   */
  float fps;
  /**
   * From the first frame to the last.
   */
  float seconds;
  /**
   * How many frames it has.
   */
  size_t frames;
} andante_clip;

/**
 * One segment of a body.
 */
typedef struct andante_segment {
  /**
   * Its name; stays as long as the handle.
   */
  const char *name;
  /**
   * The segment it hangs on; -1 for the root.
   */
  int32_t parent;
  /**
   * kg.
   */
  float mass;
} andante_segment;

/**
 * A place on the ground and a direction.
 */
typedef struct andante_placement {
  /**
   * Metres.
   */
  float x;
  /**
   * Metres.
   */
  float z;
  /**
   * From +Z towards +X, in radians: positive turns left.
   */
  float heading;
} andante_placement;

/**
 * One joint.
 */
typedef struct andante_joint {
  /**
   * Its name, unique in its skeleton. A name that is told stays as long as the handle.
   */
  const char *name;
  /**
   * Index of the joint it hangs on; -1 for the root, which comes first.
   */
  int32_t parent;
  /**
   * Where it is relative to its parent in the rest pose.
   */
  struct andante_transform rest;
} andante_joint;

/**
 * A place to go to.
 */
typedef struct andante_waypoint {
  /**
   * Metres.
   */
  float x;
  /**
   * Metres.
   */
  float z;
  /**
   * Height of the ground that is meant, in metres, to within a step; NAN is the highest.
   */
  float height;
  /**
   * Which way to face there, in radians; NAN is any.
   */
  float heading;
} andante_waypoint;

/**
 * Who comes on, and where.
 */
typedef struct andante_part {
  /**
   * What it is called here.
   */
  const char *name;
  /**
   * Where it begins.
   */
  struct andante_waypoint start;
  /**
   * Who it is; null is the built-in human. It is shared, and may be freed at any time.
   */
  const struct andante_character *character;
  /**
   * Whether it may run where it is sent.
   */
  bool run;
  /**
   * Whether it may jump over gaps.
   */
  bool jump;
  /**
   * What moves it: 0 motion alone, which cannot be pushed; 1 forces whenever it stands, and on level straight ways; 2 motion,
   * and forces from when something touches it until it is safe again.
   */
  int32_t body;
} andante_part;

/**
 * How somebody on a stage is.
 */
typedef struct andante_actor {
  /**
   * Its number.
   */
  uint32_t number;
  /**
   * Where its middle is.
   */
  float x;
  /**
   * Where its middle is.
   */
  float z;
  /**
   * Which way it faces, from +Z towards +X, in radians.
   */
  float heading;
  /**
   * Ahead, in m/s.
   */
  float speed;
  /**
   * To the left, in rad/s.
   */
  float turn_rate;
  /**
   * Of the disc that its body needs, in metres.
   */
  float radius;
  /**
   * Joints of its skeleton.
   */
  uint32_t joints;
  /**
   * Feet of its skeleton.
   */
  uint32_t feet;
  /**
   * Whether it has nothing to do.
   */
  bool idle;
} andante_actor;

/**
 * Something that happened in the last step. Its texts stay until the next step.
 */
typedef struct andante_event {
  /**
   * Seconds from the beginning.
   */
  float time;
  /**
   * Whom it is about; ANDANTE_NOBODY if it is about the world.
   */
  uint32_t actor;
  /**
   * Who else it is about, or ANDANTE_NOBODY.
   */
  uint32_t other;
  /**
   * One word for it: "began", "done", "arrived", "failed", "blocked", "waits", "near", "pushed", "fell", "got up"...
   */
  const char *word;
  /**
   * A short sentence without its subject.
   */
  const char *text;
} andante_event;

/**
 * A foot that came down in the last step.
 */
typedef struct andante_footfall {
  /**
   * Whose it is.
   */
  uint32_t actor;
  /**
   * Its number: 0 is left, 1 right.
   */
  uint32_t foot;
  /**
   * Where its sole met the ground.
   */
  float place[3];
  /**
   * The way up from the ground there.
   */
  float normal[3];
  /**
   * How fast the sole came down, in m/s.
   */
  float speed;
} andante_footfall;

/**
 * What a plan comes to.
 */
typedef struct andante_plan {
  /**
   * How long it takes.
   */
  float seconds;
  /**
   * How far from the goal it ends, in metres.
   */
  float goal_error;
  /**
   * How many footprints it has.
   */
  size_t footprints;
} andante_plan;

/**
 * A footprint of a plan.
 */
typedef struct andante_footprint {
  /**
   * Which foot: 0 is left, 1 right.
   */
  uint32_t foot;
  /**
   * Between heel and ball, on the ground.
   */
  float place[3];
  /**
   * The way it points, in radians.
   */
  float heading;
  /**
   * When it touches the ground, in seconds from when it sets off.
   */
  float landing;
  /**
   * When it has left it.
   */
  float take_off;
} andante_footprint;

/**
 * Ground of one's own: the height of the highest surface at (x, z) that is not above `from_y`, or NAN where there is none. The
 * unit normal of the surface, pointing up, may be written to `normal`, which is (0, 1, 0) before. `from_y` may be as large as
 * FLT_MAX. It must not throw, and not use the handle that asks.
 */
typedef float (*andante_ground)(void *user, float x, float z, float from_y, float *normal);

/**
 * Called once when `user` is needed no longer.
 */
typedef void (*andante_release)(void *user);

/**
 * How somebody walks over ground, after a step.
 */
typedef struct andante_walk {
  /**
   * Where its body is and which way it faces.
   */
  struct andante_placement place;
  /**
   * Height of the ground that it goes by.
   */
  float height;
  /**
   * Rise of the ground per metre ahead.
   */
  float grade;
  /**
   * How far its body is below where the clip has it, so that its legs reach.
   */
  float lowered;
  /**
   * Largest distance of an ankle from where it belongs.
   */
  float residual;
  /**
   * Whether it waits because the next step leads nowhere.
   */
  bool stopped;
} andante_walk;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The ABI of the library that is linked; a program made for another one must not go on.
 */
uint32_t andante_abi(void);

/**
 * The version of the library, such as "0.1.0". It is never freed.
 */
const char *andante_version(void);

/**
 * Reads a file; its extension tells the format. An .amc file needs its .asf beside it.
 */
enum andante_status andante_asset_read(const char *path, struct andante_asset **out);

/**
 * Reads a file that is in memory. Its name, such as "walk.bvh", tells the format; nothing is opened.
 */
enum andante_status andante_asset_read_memory(const char *name,
                                              const uint8_t *bytes,
                                              size_t length,
                                              struct andante_asset **out);

/**
 * An asset of a skeleton, without motions: what andante_asset_add_clip() is for.
 */
enum andante_status andante_asset_new(const struct andante_skeleton *skeleton, struct andante_asset **out);

/**
 * Adds a motion: frame after frame, each with one transform per joint, relative to their parents.
 */
enum andante_status andante_asset_add_clip(struct andante_asset *asset,
                                           const char *name,
                                           float fps,
                                           const struct andante_transform *transforms,
                                           size_t count);

/**
 * Writes it; the extension tells the format. A glTF file that was read is written with everything else that was in it.
 */
enum andante_status andante_asset_write(struct andante_asset *asset,
                                        const char *path);

/**
 * A copy of its skeleton, to be freed by the caller.
 */
enum andante_status andante_asset_skeleton(struct andante_asset *asset, struct andante_skeleton **out);

/**
 * How many motions it has.
 */
enum andante_status andante_asset_clip_count(struct andante_asset *asset, size_t *out);

/**
 * One of its motions.
 */
enum andante_status andante_asset_clip(struct andante_asset *asset, size_t index, struct andante_clip *out);

/**
 * The pose of a motion at a time in seconds: one transform per joint, relative to their parents. With `loops`, time begins again
 * at the end; otherwise the first and the last frame are held.
 */
enum andante_status andante_asset_sample(struct andante_asset *asset,
                                         size_t clip,
                                         float time,
                                         bool loops,
                                         struct andante_transform *transforms,
                                         size_t capacity);

/**
 * How many things were odd about its file.
 */
enum andante_status andante_asset_warning_count(struct andante_asset *asset, size_t *out);

/**
 * One of the things that were odd; stays as long as the asset.
 */
enum andante_status andante_asset_warning(struct andante_asset *asset, size_t index, const char **out);

/**
 * Frees an asset; null is nothing.
 */
void andante_asset_free(struct andante_asset *asset);

/**
 * A built-in body: "humanoid", "monster", "kangaroo", "dog", "horse", "insect" or "ostrich". With `balances` its muscles keep it
 * on its feet, catch it by steps when it is pushed, and get it up again, which needs two feet; otherwise it hangs in its springs.
 */
enum andante_status andante_body_creature(const char *name,
                                          bool balances,
                                          struct andante_body **out);

/**
 * The same of the text of a body file.
 */
enum andante_status andante_body_read(const char *file, bool balances, struct andante_body **out);

/**
 * Lets `dt` seconds pass, at most one, in steps of the simulation.
 */
enum andante_status andante_body_step(struct andante_body *body, float dt);

/**
 * Shoves its trunk for a tenth of a second: an impulse in N s towards a heading in radians.
 */
enum andante_status andante_body_push(struct andante_body *body, float impulse, float direction);

/**
 * An impulse of three numbers in N s on a segment, at a point in the world, in the next step.
 */
enum andante_status andante_body_impulse(struct andante_body *body,
                                         size_t segment,
                                         const float *impulse,
                                         const float *at);

/**
 * Puts it back to where it began, as it was, so many metres higher.
 */
enum andante_status andante_body_reset(struct andante_body *body, float higher);

/**
 * How many segments it has.
 */
enum andante_status andante_body_segment_count(const struct andante_body *body, size_t *out);

/**
 * One of its segments.
 */
enum andante_status andante_body_segment(const struct andante_body *body,
                                         size_t index,
                                         struct andante_segment *out);

/**
 * Every segment in the world.
 */
enum andante_status andante_body_pose(const struct andante_body *body,
                                      struct andante_transform *transforms,
                                      size_t capacity);

/**
 * How it is.
 */
enum andante_status andante_body_condition(const struct andante_body *body, enum andante_condition *out);

/**
 * Its centre of mass, three numbers, and the seconds that were simulated. Either may be null.
 */
enum andante_status andante_body_state(const struct andante_body *body, float *centre, double *time);

/**
 * Frees a body; null is nothing.
 */
void andante_body_free(struct andante_body *body);

/**
 * Why the last call of this thread that failed did so, in the words that the library has for it; empty if none has. The text is
 * the library's and stays until the next call of this thread that fails.
 */
const char *andante_last_error(void);

/**
 * The built-in human, so many metres tall (0.5 to 3), or as it is with NAN.
 */
enum andante_status andante_character_humanoid(float height, struct andante_character **out);

/**
 * Somebody from a file: its bones are understood, and it learns to walk from its own clips and from the built-in human. With a
 * height, in metres, it is made as tall as that; NAN leaves it as it is.
 */
enum andante_status andante_character_read(const char *path,
                                           float height,
                                           struct andante_character **out);

/**
 * The same from memory. The name, such as "hero.glb", tells the format; nothing is opened.
 */
enum andante_status andante_character_read_memory(const char *name,
                                                  const uint8_t *bytes,
                                                  size_t length,
                                                  float height,
                                                  struct andante_character **out);

/**
 * A copy of its skeleton, to be freed by the caller.
 */
enum andante_status andante_character_skeleton(const struct andante_character *character,
                                               struct andante_skeleton **out);

/**
 * How many feet it has.
 */
enum andante_status andante_character_foot_count(const struct andante_character *character, size_t *out);

/**
 * How many clips it can play.
 */
enum andante_status andante_character_clip_count(const struct andante_character *character, size_t *out);

/**
 * The name of one of its clips; stays as long as the handle.
 */
enum andante_status andante_character_clip_name(const struct andante_character *character,
                                                size_t index,
                                                const char **out);

/**
 * How many things were odd about its file.
 */
enum andante_status andante_character_warning_count(const struct andante_character *character, size_t *out);

/**
 * One of the things that were odd; stays as long as the handle.
 */
enum andante_status andante_character_warning(const struct andante_character *character,
                                              size_t index,
                                              const char **out);

/**
 * Its bones and its skin as a binary glTF file, in metres and without scale: joint i of its skin is joint i here, so that poses
 * can be written to its joints as they are. Who has no skin is a mannequin. `length` is told in any case; with null and a
 * capacity of 0 nothing else is.
 */
enum andante_status andante_character_glb(const struct andante_character *character,
                                          uint8_t *bytes,
                                          size_t capacity,
                                          size_t *length);

/**
 * Frees a character; null is nothing.
 */
void andante_character_free(struct andante_character *character);

/**
 * A player of a character, which stands at the origin and faces +Z.
 */
enum andante_status andante_player_new(const struct andante_character *character,
                                       struct andante_player **out);

/**
 * Lets `dt` seconds pass, at most one, towards a speed ahead in m/s and a turn rate to the left in rad/s.
 */
enum andante_status andante_player_advance(struct andante_player *player,
                                           float dt,
                                           float speed,
                                           float turn_rate);

/**
 * Puts it elsewhere, as it is.
 */
enum andante_status andante_player_place(struct andante_player *player, struct andante_placement to);

/**
 * Goes to another phase of its gait, from 0 to 1: for crowds that must not walk in step.
 */
enum andante_status andante_player_set_phase(struct andante_player *player, float phase);

/**
 * Where it is and which way it faces.
 */
enum andante_status andante_player_placement(struct andante_player *player, struct andante_placement *out);

/**
 * Its pose: joint 0 in the world, the others relative to their parents.
 */
enum andante_status andante_player_pose(struct andante_player *player,
                                        struct andante_transform *transforms,
                                        size_t capacity);

/**
 * Every joint in the world.
 */
enum andante_status andante_player_models(struct andante_player *player,
                                          struct andante_transform *transforms,
                                          size_t capacity);

/**
 * Whether the heel and the ball of a foot are down.
 */
enum andante_status andante_player_contact(struct andante_player *player,
                                           size_t foot,
                                           bool *heel,
                                           bool *ball);

/**
 * Frees a player; null is nothing.
 */
void andante_player_free(struct andante_player *player);

/**
 * A skeleton of joints of one's own, parents before children, depth first.
 */
enum andante_status andante_skeleton_new(const struct andante_joint *joints,
                                         size_t count,
                                         struct andante_skeleton **out);

/**
 * How many joints it has; at least 1.
 */
enum andante_status andante_skeleton_joint_count(const struct andante_skeleton *skeleton, size_t *out);

/**
 * One of its joints.
 */
enum andante_status andante_skeleton_joint(const struct andante_skeleton *skeleton,
                                           size_t index,
                                           struct andante_joint *out);

/**
 * The joint of a name.
 */
enum andante_status andante_skeleton_find(const struct andante_skeleton *skeleton,
                                          const char *name,
                                          size_t *out);

/**
 * Turns a pose, in which joints are relative to their parents, into joints in the world. Both have as many transforms as the
 * skeleton has joints, and may be the same.
 */
enum andante_status andante_skeleton_models(const struct andante_skeleton *skeleton,
                                            const struct andante_transform *pose,
                                            size_t count,
                                            struct andante_transform *models,
                                            size_t capacity);

/**
 * Frees a skeleton; null is nothing.
 */
void andante_skeleton_free(struct andante_skeleton *skeleton);

/**
 * A stage from the text of a scene file. The same scene and seed give the same motion, bit by bit, everywhere. Files that the
 * scene names are looked for in the working directory and below it.
 */
enum andante_status andante_stage_read(const char *scene,
                                       uint64_t seed,
                                       struct andante_stage **out);

/**
 * A stage of a scene that comes with the library, such as "stairs".
 */
enum andante_status andante_stage_built_in(const char *name, uint64_t seed, struct andante_stage **out);

/**
 * Lets `dt` seconds pass: whatever a frame lasts, each as long as it likes, at most a second at once.
 */
enum andante_status andante_stage_step(struct andante_stage *stage, float dt);

/**
 * Seconds since the beginning.
 */
enum andante_status andante_stage_time(struct andante_stage *stage, double *out);

/**
 * Lets somebody come on, who has nothing to do yet, and tells its number.
 */
enum andante_status andante_stage_spawn(struct andante_stage *stage,
                                        const struct andante_part *part,
                                        uint32_t *out);

/**
 * Takes somebody away. Its number means nobody from now on.
 */
enum andante_status andante_stage_despawn(struct andante_stage *stage, uint32_t actor);

/**
 * How many are on the stage.
 */
enum andante_status andante_stage_actor_count(struct andante_stage *stage, size_t *out);

/**
 * The numbers of those who are on the stage, as many as andante_stage_actor_count() says.
 */
enum andante_status andante_stage_actors(struct andante_stage *stage, uint32_t *numbers, size_t capacity);

/**
 * How somebody is.
 */
enum andante_status andante_stage_actor(struct andante_stage *stage,
                                        uint32_t actor,
                                        struct andante_actor *out);

/**
 * The name of somebody, and how long it is without the zero at its end. With null and a capacity of 0 only that is told.
 */
enum andante_status andante_stage_actor_name(struct andante_stage *stage,
                                             uint32_t actor,
                                             char *buffer,
                                             size_t capacity,
                                             size_t *length);

/**
 * What somebody does, in the words of a scene file; empty if it has nothing to do. As andante_stage_actor_name().
 */
enum andante_status andante_stage_actor_doing(struct andante_stage *stage,
                                              uint32_t actor,
                                              char *buffer,
                                              size_t capacity,
                                              size_t *length);

/**
 * A copy of somebody's skeleton, to be freed by the caller.
 */
enum andante_status andante_stage_skeleton(struct andante_stage *stage,
                                           uint32_t actor,
                                           struct andante_skeleton **out);

/**
 * The pose of somebody: joint 0 in the world, the others relative to their parents.
 */
enum andante_status andante_stage_pose(struct andante_stage *stage,
                                       uint32_t actor,
                                       struct andante_transform *transforms,
                                       size_t capacity);

/**
 * Every joint of somebody in the world.
 */
enum andante_status andante_stage_models(struct andante_stage *stage,
                                         uint32_t actor,
                                         struct andante_transform *transforms,
                                         size_t capacity);

/**
 * Whether the heel and the ball of somebody's foot are down.
 */
enum andante_status andante_stage_contact(struct andante_stage *stage,
                                          uint32_t actor,
                                          size_t foot,
                                          bool *heel,
                                          bool *ball);

/**
 * How many things happened in the last step.
 */
enum andante_status andante_stage_event_count(struct andante_stage *stage, size_t *out);

/**
 * One of the things that happened in the last step.
 */
enum andante_status andante_stage_event(struct andante_stage *stage, size_t index, struct andante_event *out);

/**
 * How many feet came down in the last step.
 */
enum andante_status andante_stage_footfall_count(struct andante_stage *stage, size_t *out);

/**
 * One of the feet that came down in the last step.
 */
enum andante_status andante_stage_footfall(struct andante_stage *stage,
                                           size_t index,
                                           struct andante_footfall *out);

/**
 * Frees a stage; null is nothing.
 */
void andante_stage_free(struct andante_stage *stage);

/**
 * Sends somebody to a place, at a walk or at a run. It arrives exactly there; whether there is a way shows later, as an event.
 */
enum andante_status andante_stage_go_to(struct andante_stage *stage,
                                        uint32_t actor,
                                        struct andante_waypoint to,
                                        bool run);

/**
 * Sends somebody from place to place, round and round (`rounds`), or once along the line they make.
 */
enum andante_status andante_stage_follow_line(struct andante_stage *stage,
                                              uint32_t actor,
                                              const struct andante_waypoint *places,
                                              size_t count,
                                              bool rounds);

/**
 * Lets somebody follow another, so many metres behind, from middle to middle.
 */
enum andante_status andante_stage_follow(struct andante_stage *stage,
                                         uint32_t actor,
                                         uint32_t whom,
                                         float distance);

/**
 * Lets somebody come to a stop.
 */
enum andante_status andante_stage_stop(struct andante_stage *stage, uint32_t actor);

/**
 * Lets somebody stand for some seconds.
 */
enum andante_status andante_stage_wait(struct andante_stage *stage, uint32_t actor, float seconds);

/**
 * Lets somebody turn on the spot towards a heading, in radians.
 */
enum andante_status andante_stage_face(struct andante_stage *stage, uint32_t actor, float heading);

/**
 * Lets somebody look at somebody else while it does what it does; ANDANTE_NOBODY is at nobody.
 */
enum andante_status andante_stage_look_at(struct andante_stage *stage, uint32_t actor, uint32_t whom);

/**
 * Lets somebody look at a point in the world.
 */
enum andante_status andante_stage_look_at_point(struct andante_stage *stage,
                                                uint32_t actor,
                                                float x,
                                                float y,
                                                float z);

/**
 * Lets somebody go at a speed from now on, in m/s; NAN is the usual one.
 */
enum andante_status andante_stage_set_speed(struct andante_stage *stage, uint32_t actor, float speed);

/**
 * Leads somebody by hand, as from a gamepad, until it is told otherwise: a speed ahead in m/s, a turn rate to the left in rad/s.
 */
enum andante_status andante_stage_steer(struct andante_stage *stage,
                                        uint32_t actor,
                                        float speed,
                                        float turn_rate);

/**
 * Lets somebody run up, jump from one place to another and come to a stop.
 */
enum andante_status andante_stage_jump(struct andante_stage *stage,
                                       uint32_t actor,
                                       float from_x,
                                       float from_z,
                                       float to_x,
                                       float to_z);

/**
 * Shoves somebody who is not moved by motion alone, at the chest, for a tenth of a second: an impulse in N s towards a heading
 * in radians.
 */
enum andante_status andante_stage_push(struct andante_stage *stage,
                                       uint32_t actor,
                                       float impulse,
                                       float direction);

/**
 * Lets somebody who is not moved by motion alone fall and lie.
 */
enum andante_status andante_stage_fall(struct andante_stage *stage, uint32_t actor);

/**
 * Lets somebody get up who lies.
 */
enum andante_status andante_stage_get_up(struct andante_stage *stage, uint32_t actor);

/**
 * Puts somebody elsewhere, whatever it does and however it is: it stands there at once.
 */
enum andante_status andante_stage_teleport(struct andante_stage *stage,
                                           uint32_t actor,
                                           struct andante_waypoint to);

/**
 * Puts somebody on its feet where it is, whatever it does and however it is.
 */
enum andante_status andante_stage_reset(struct andante_stage *stage, uint32_t actor);

/**
 * Plans a way from where somebody is to a place, as if nobody else were there; nobody goes anywhere. What it comes to is told,
 * and its footprints are written if there is room for all of them; without any (null and 0) they are not. Why there is no way is
 * the error.
 */
enum andante_status andante_stage_plan(struct andante_stage *stage,
                                       uint32_t actor,
                                       struct andante_waypoint to,
                                       bool run,
                                       struct andante_plan *out,
                                       struct andante_footprint *footprints,
                                       size_t capacity);

/**
 * Puts a box into the world, or in the place of the obstacle of the same name, which is how it is moved. (x, y, z) is the middle
 * of its underside. Ways that it blocks are planned again.
 */
enum andante_status andante_stage_place_box(struct andante_stage *stage,
                                            const char *name,
                                            float x,
                                            float y,
                                            float z,
                                            float width,
                                            float height,
                                            float depth,
                                            float heading);

/**
 * The same with an upright cylinder.
 */
enum andante_status andante_stage_place_cylinder(struct andante_stage *stage,
                                                 const char *name,
                                                 float x,
                                                 float y,
                                                 float z,
                                                 float radius,
                                                 float height);

/**
 * Takes the obstacle of a name away.
 */
enum andante_status andante_stage_remove_obstacle(struct andante_stage *stage, const char *name);

/**
 * Puts a patch of ground into the world, or in the place of the one of the same name: an outline of corners (x, z, x, z...) that
 * can be walked on, level at a height, or with ground of one's own on top of that (its heights are added).
 *
 * The ground's function is called by any thread, by several at once, and also between calls of the stage, until `release` is
 * called with `user`. That happens once, from any thread, when nobody asks any more: at once if the call fails, else some time
 * after the ground was replaced or removed or the stage freed.
 */
enum andante_status andante_stage_place_ground(struct andante_stage *stage,
                                               const char *name,
                                               const float *corners,
                                               size_t count,
                                               float height,
                                               andante_ground ground,
                                               void *user,
                                               andante_release release);

/**
 * Takes the patch of ground of a name away.
 */
enum andante_status andante_stage_remove_ground(struct andante_stage *stage, const char *name);

/**
 * Turns transforms into matrices of 16 numbers each, column by column, as graphics libraries take them. There must be room for
 * 16 * count numbers.
 */
enum andante_status andante_matrices(const struct andante_transform *transforms,
                                     size_t count,
                                     float *matrices,
                                     size_t capacity);

/**
 * A walker that will play a clip of its character, such as "walk" or "stand", from a place on whose ground is about as high as
 * `height`. Before the first step its pose is at rest.
 */
enum andante_status andante_walker_new(const struct andante_character *character,
                                       const char *clip,
                                       struct andante_placement start,
                                       float height,
                                       struct andante_walker **out);

/**
 * Goes over to another clip, at the next moment that suits both.
 */
enum andante_status andante_walker_play(struct andante_walker *walker, const char *clip);

/**
 * Lets `dt` seconds pass over the ground, which is asked meanwhile, on this thread alone; without a function it is level at
 * height 0. `rate` is how fast the clip is played (1 as it was made), `turn_rate` is to the left in rad/s, besides what the clip
 * turns. What became of it is told if `out` is not null.
 */
enum andante_status andante_walker_step(struct andante_walker *walker,
                                        float dt,
                                        float rate,
                                        float turn_rate,
                                        andante_ground ground,
                                        void *user,
                                        struct andante_walk *out);

/**
 * Its pose: joint 0 in the world, the others relative to their parents.
 */
enum andante_status andante_walker_pose(struct andante_walker *walker,
                                        struct andante_transform *transforms,
                                        size_t capacity);

/**
 * Every joint in the world.
 */
enum andante_status andante_walker_models(struct andante_walker *walker,
                                          struct andante_transform *transforms,
                                          size_t capacity);

/**
 * Whether the heel and the ball of a foot are down.
 */
enum andante_status andante_walker_contact(struct andante_walker *walker,
                                           size_t foot,
                                           bool *heel,
                                           bool *ball);

/**
 * Frees a walker; null is nothing.
 */
void andante_walker_free(struct andante_walker *walker);

/**
 * Why the last call of this thread that failed did so, in the words that the library has for it; empty if none has. The text is
 * the library's and stays until the next call of this thread that fails.
 */
const char *andante_last_error(void);

/**
 * Turns transforms into matrices of 16 numbers each, column by column, as graphics libraries take them. There must be room for
 * 16 * count numbers.
 */
enum andante_status andante_matrices(const struct andante_transform *transforms,
                                     size_t count,
                                     float *matrices,
                                     size_t capacity);

/**
 * A skeleton of joints of one's own, parents before children, depth first.
 */
enum andante_status andante_skeleton_new(const struct andante_joint *joints,
                                         size_t count,
                                         struct andante_skeleton **out);

/**
 * How many joints it has; at least 1.
 */
enum andante_status andante_skeleton_joint_count(const struct andante_skeleton *skeleton, size_t *out);

/**
 * One of its joints.
 */
enum andante_status andante_skeleton_joint(const struct andante_skeleton *skeleton,
                                           size_t index,
                                           struct andante_joint *out);

/**
 * The joint of a name.
 */
enum andante_status andante_skeleton_find(const struct andante_skeleton *skeleton,
                                          const char *name,
                                          size_t *out);

/**
 * Turns a pose, in which joints are relative to their parents, into joints in the world. Both have as many transforms as the
 * skeleton has joints, and may be the same.
 */
enum andante_status andante_skeleton_models(const struct andante_skeleton *skeleton,
                                            const struct andante_transform *pose,
                                            size_t count,
                                            struct andante_transform *models,
                                            size_t capacity);

/**
 * Frees a skeleton; null is nothing.
 */
void andante_skeleton_free(struct andante_skeleton *skeleton);

/**
 * Reads a file; its extension tells the format. An .amc file needs its .asf beside it.
 */
enum andante_status andante_asset_read(const char *path, struct andante_asset **out);

/**
 * Reads a file that is in memory. Its name, such as "walk.bvh", tells the format; nothing is opened.
 */
enum andante_status andante_asset_read_memory(const char *name,
                                              const uint8_t *bytes,
                                              size_t length,
                                              struct andante_asset **out);

/**
 * An asset of a skeleton, without motions: what andante_asset_add_clip() is for.
 */
enum andante_status andante_asset_new(const struct andante_skeleton *skeleton, struct andante_asset **out);

/**
 * Adds a motion: frame after frame, each with one transform per joint, relative to their parents.
 */
enum andante_status andante_asset_add_clip(struct andante_asset *asset,
                                           const char *name,
                                           float fps,
                                           const struct andante_transform *transforms,
                                           size_t count);

/**
 * Writes it; the extension tells the format. A glTF file that was read is written with everything else that was in it.
 */
enum andante_status andante_asset_write(struct andante_asset *asset,
                                        const char *path);

/**
 * A copy of its skeleton, to be freed by the caller.
 */
enum andante_status andante_asset_skeleton(struct andante_asset *asset, struct andante_skeleton **out);

/**
 * How many motions it has.
 */
enum andante_status andante_asset_clip_count(struct andante_asset *asset, size_t *out);

/**
 * One of its motions.
 */
enum andante_status andante_asset_clip(struct andante_asset *asset, size_t index, struct andante_clip *out);

/**
 * The pose of a motion at a time in seconds: one transform per joint, relative to their parents. With `loops`, time begins again
 * at the end; otherwise the first and the last frame are held.
 */
enum andante_status andante_asset_sample(struct andante_asset *asset,
                                         size_t clip,
                                         float time,
                                         bool loops,
                                         struct andante_transform *transforms,
                                         size_t capacity);

/**
 * How many things were odd about its file.
 */
enum andante_status andante_asset_warning_count(struct andante_asset *asset, size_t *out);

/**
 * One of the things that were odd; stays as long as the asset.
 */
enum andante_status andante_asset_warning(struct andante_asset *asset, size_t index, const char **out);

/**
 * Frees an asset; null is nothing.
 */
void andante_asset_free(struct andante_asset *asset);

/**
 * The built-in human, so many metres tall (0.5 to 3), or as it is with NAN.
 */
enum andante_status andante_character_humanoid(float height, struct andante_character **out);

/**
 * Somebody from a file: its bones are understood, and it learns to walk from its own clips and from the built-in human. With a
 * height, in metres, it is made as tall as that; NAN leaves it as it is.
 */
enum andante_status andante_character_read(const char *path,
                                           float height,
                                           struct andante_character **out);

/**
 * The same from memory. The name, such as "hero.glb", tells the format; nothing is opened.
 */
enum andante_status andante_character_read_memory(const char *name,
                                                  const uint8_t *bytes,
                                                  size_t length,
                                                  float height,
                                                  struct andante_character **out);

/**
 * A copy of its skeleton, to be freed by the caller.
 */
enum andante_status andante_character_skeleton(const struct andante_character *character,
                                               struct andante_skeleton **out);

/**
 * How many feet it has.
 */
enum andante_status andante_character_foot_count(const struct andante_character *character, size_t *out);

/**
 * How many clips it can play.
 */
enum andante_status andante_character_clip_count(const struct andante_character *character, size_t *out);

/**
 * The name of one of its clips; stays as long as the handle.
 */
enum andante_status andante_character_clip_name(const struct andante_character *character,
                                                size_t index,
                                                const char **out);

/**
 * How many things were odd about its file.
 */
enum andante_status andante_character_warning_count(const struct andante_character *character, size_t *out);

/**
 * One of the things that were odd; stays as long as the handle.
 */
enum andante_status andante_character_warning(const struct andante_character *character,
                                              size_t index,
                                              const char **out);

/**
 * Its bones and its skin as a binary glTF file, in metres and without scale: joint i of its skin is joint i here, so that poses
 * can be written to its joints as they are. Who has no skin is a mannequin. `length` is told in any case; with null and a
 * capacity of 0 nothing else is.
 */
enum andante_status andante_character_glb(const struct andante_character *character,
                                          uint8_t *bytes,
                                          size_t capacity,
                                          size_t *length);

/**
 * Frees a character; null is nothing.
 */
void andante_character_free(struct andante_character *character);

/**
 * A player of a character, which stands at the origin and faces +Z.
 */
enum andante_status andante_player_new(const struct andante_character *character,
                                       struct andante_player **out);

/**
 * Lets `dt` seconds pass, at most one, towards a speed ahead in m/s and a turn rate to the left in rad/s.
 */
enum andante_status andante_player_advance(struct andante_player *player,
                                           float dt,
                                           float speed,
                                           float turn_rate);

/**
 * Puts it elsewhere, as it is.
 */
enum andante_status andante_player_place(struct andante_player *player, struct andante_placement to);

/**
 * Goes to another phase of its gait, from 0 to 1: for crowds that must not walk in step.
 */
enum andante_status andante_player_set_phase(struct andante_player *player, float phase);

/**
 * Where it is and which way it faces.
 */
enum andante_status andante_player_placement(struct andante_player *player, struct andante_placement *out);

/**
 * Its pose: joint 0 in the world, the others relative to their parents.
 */
enum andante_status andante_player_pose(struct andante_player *player,
                                        struct andante_transform *transforms,
                                        size_t capacity);

/**
 * Every joint in the world.
 */
enum andante_status andante_player_models(struct andante_player *player,
                                          struct andante_transform *transforms,
                                          size_t capacity);

/**
 * Whether the heel and the ball of a foot are down.
 */
enum andante_status andante_player_contact(struct andante_player *player,
                                           size_t foot,
                                           bool *heel,
                                           bool *ball);

/**
 * Frees a player; null is nothing.
 */
void andante_player_free(struct andante_player *player);

/**
 * A walker that will play a clip of its character, such as "walk" or "stand", from a place on whose ground is about as high as
 * `height`. Before the first step its pose is at rest.
 */
enum andante_status andante_walker_new(const struct andante_character *character,
                                       const char *clip,
                                       struct andante_placement start,
                                       float height,
                                       struct andante_walker **out);

/**
 * Goes over to another clip, at the next moment that suits both.
 */
enum andante_status andante_walker_play(struct andante_walker *walker, const char *clip);

/**
 * Lets `dt` seconds pass over the ground, which is asked meanwhile, on this thread alone; without a function it is level at
 * height 0. `rate` is how fast the clip is played (1 as it was made), `turn_rate` is to the left in rad/s, besides what the clip
 * turns. What became of it is told if `out` is not null.
 */
enum andante_status andante_walker_step(struct andante_walker *walker,
                                        float dt,
                                        float rate,
                                        float turn_rate,
                                        andante_ground ground,
                                        void *user,
                                        struct andante_walk *out);

/**
 * Its pose: joint 0 in the world, the others relative to their parents.
 */
enum andante_status andante_walker_pose(struct andante_walker *walker,
                                        struct andante_transform *transforms,
                                        size_t capacity);

/**
 * Every joint in the world.
 */
enum andante_status andante_walker_models(struct andante_walker *walker,
                                          struct andante_transform *transforms,
                                          size_t capacity);

/**
 * Whether the heel and the ball of a foot are down.
 */
enum andante_status andante_walker_contact(struct andante_walker *walker,
                                           size_t foot,
                                           bool *heel,
                                           bool *ball);

/**
 * Frees a walker; null is nothing.
 */
void andante_walker_free(struct andante_walker *walker);

/**
 * A stage from the text of a scene file. The same scene and seed give the same motion, bit by bit, everywhere. Files that the
 * scene names are looked for in the working directory and below it.
 */
enum andante_status andante_stage_read(const char *scene,
                                       uint64_t seed,
                                       struct andante_stage **out);

/**
 * A stage of a scene that comes with the library, such as "stairs".
 */
enum andante_status andante_stage_built_in(const char *name, uint64_t seed, struct andante_stage **out);

/**
 * Lets `dt` seconds pass: whatever a frame lasts, each as long as it likes, at most a second at once.
 */
enum andante_status andante_stage_step(struct andante_stage *stage, float dt);

/**
 * Seconds since the beginning.
 */
enum andante_status andante_stage_time(struct andante_stage *stage, double *out);

/**
 * Lets somebody come on, who has nothing to do yet, and tells its number.
 */
enum andante_status andante_stage_spawn(struct andante_stage *stage,
                                        const struct andante_part *part,
                                        uint32_t *out);

/**
 * Takes somebody away. Its number means nobody from now on.
 */
enum andante_status andante_stage_despawn(struct andante_stage *stage, uint32_t actor);

/**
 * How many are on the stage.
 */
enum andante_status andante_stage_actor_count(struct andante_stage *stage, size_t *out);

/**
 * The numbers of those who are on the stage, as many as andante_stage_actor_count() says.
 */
enum andante_status andante_stage_actors(struct andante_stage *stage, uint32_t *numbers, size_t capacity);

/**
 * How somebody is.
 */
enum andante_status andante_stage_actor(struct andante_stage *stage,
                                        uint32_t actor,
                                        struct andante_actor *out);

/**
 * The name of somebody, and how long it is without the zero at its end. With null and a capacity of 0 only that is told.
 */
enum andante_status andante_stage_actor_name(struct andante_stage *stage,
                                             uint32_t actor,
                                             char *buffer,
                                             size_t capacity,
                                             size_t *length);

/**
 * What somebody does, in the words of a scene file; empty if it has nothing to do. As andante_stage_actor_name().
 */
enum andante_status andante_stage_actor_doing(struct andante_stage *stage,
                                              uint32_t actor,
                                              char *buffer,
                                              size_t capacity,
                                              size_t *length);

/**
 * A copy of somebody's skeleton, to be freed by the caller.
 */
enum andante_status andante_stage_skeleton(struct andante_stage *stage,
                                           uint32_t actor,
                                           struct andante_skeleton **out);

/**
 * The pose of somebody: joint 0 in the world, the others relative to their parents.
 */
enum andante_status andante_stage_pose(struct andante_stage *stage,
                                       uint32_t actor,
                                       struct andante_transform *transforms,
                                       size_t capacity);

/**
 * Every joint of somebody in the world.
 */
enum andante_status andante_stage_models(struct andante_stage *stage,
                                         uint32_t actor,
                                         struct andante_transform *transforms,
                                         size_t capacity);

/**
 * Whether the heel and the ball of somebody's foot are down.
 */
enum andante_status andante_stage_contact(struct andante_stage *stage,
                                          uint32_t actor,
                                          size_t foot,
                                          bool *heel,
                                          bool *ball);

/**
 * How many things happened in the last step.
 */
enum andante_status andante_stage_event_count(struct andante_stage *stage, size_t *out);

/**
 * One of the things that happened in the last step.
 */
enum andante_status andante_stage_event(struct andante_stage *stage, size_t index, struct andante_event *out);

/**
 * How many feet came down in the last step.
 */
enum andante_status andante_stage_footfall_count(struct andante_stage *stage, size_t *out);

/**
 * One of the feet that came down in the last step.
 */
enum andante_status andante_stage_footfall(struct andante_stage *stage,
                                           size_t index,
                                           struct andante_footfall *out);

/**
 * Frees a stage; null is nothing.
 */
void andante_stage_free(struct andante_stage *stage);

/**
 * Sends somebody to a place, at a walk or at a run. It arrives exactly there; whether there is a way shows later, as an event.
 */
enum andante_status andante_stage_go_to(struct andante_stage *stage,
                                        uint32_t actor,
                                        struct andante_waypoint to,
                                        bool run);

/**
 * Sends somebody from place to place, round and round (`rounds`), or once along the line they make.
 */
enum andante_status andante_stage_follow_line(struct andante_stage *stage,
                                              uint32_t actor,
                                              const struct andante_waypoint *places,
                                              size_t count,
                                              bool rounds);

/**
 * Lets somebody follow another, so many metres behind, from middle to middle.
 */
enum andante_status andante_stage_follow(struct andante_stage *stage,
                                         uint32_t actor,
                                         uint32_t whom,
                                         float distance);

/**
 * Lets somebody come to a stop.
 */
enum andante_status andante_stage_stop(struct andante_stage *stage, uint32_t actor);

/**
 * Lets somebody stand for some seconds.
 */
enum andante_status andante_stage_wait(struct andante_stage *stage, uint32_t actor, float seconds);

/**
 * Lets somebody turn on the spot towards a heading, in radians.
 */
enum andante_status andante_stage_face(struct andante_stage *stage, uint32_t actor, float heading);

/**
 * Lets somebody look at somebody else while it does what it does; ANDANTE_NOBODY is at nobody.
 */
enum andante_status andante_stage_look_at(struct andante_stage *stage, uint32_t actor, uint32_t whom);

/**
 * Lets somebody look at a point in the world.
 */
enum andante_status andante_stage_look_at_point(struct andante_stage *stage,
                                                uint32_t actor,
                                                float x,
                                                float y,
                                                float z);

/**
 * Lets somebody go at a speed from now on, in m/s; NAN is the usual one.
 */
enum andante_status andante_stage_set_speed(struct andante_stage *stage, uint32_t actor, float speed);

/**
 * Leads somebody by hand, as from a gamepad, until it is told otherwise: a speed ahead in m/s, a turn rate to the left in rad/s.
 */
enum andante_status andante_stage_steer(struct andante_stage *stage,
                                        uint32_t actor,
                                        float speed,
                                        float turn_rate);

/**
 * Lets somebody run up, jump from one place to another and come to a stop.
 */
enum andante_status andante_stage_jump(struct andante_stage *stage,
                                       uint32_t actor,
                                       float from_x,
                                       float from_z,
                                       float to_x,
                                       float to_z);

/**
 * Shoves somebody who is not moved by motion alone, at the chest, for a tenth of a second: an impulse in N s towards a heading
 * in radians.
 */
enum andante_status andante_stage_push(struct andante_stage *stage,
                                       uint32_t actor,
                                       float impulse,
                                       float direction);

/**
 * Lets somebody who is not moved by motion alone fall and lie.
 */
enum andante_status andante_stage_fall(struct andante_stage *stage, uint32_t actor);

/**
 * Lets somebody get up who lies.
 */
enum andante_status andante_stage_get_up(struct andante_stage *stage, uint32_t actor);

/**
 * Puts somebody elsewhere, whatever it does and however it is: it stands there at once.
 */
enum andante_status andante_stage_teleport(struct andante_stage *stage,
                                           uint32_t actor,
                                           struct andante_waypoint to);

/**
 * Puts somebody on its feet where it is, whatever it does and however it is.
 */
enum andante_status andante_stage_reset(struct andante_stage *stage, uint32_t actor);

/**
 * Plans a way from where somebody is to a place, as if nobody else were there; nobody goes anywhere. What it comes to is told,
 * and its footprints are written if there is room for all of them; without any (null and 0) they are not. Why there is no way is
 * the error.
 */
enum andante_status andante_stage_plan(struct andante_stage *stage,
                                       uint32_t actor,
                                       struct andante_waypoint to,
                                       bool run,
                                       struct andante_plan *out,
                                       struct andante_footprint *footprints,
                                       size_t capacity);

/**
 * Puts a box into the world, or in the place of the obstacle of the same name, which is how it is moved. (x, y, z) is the middle
 * of its underside. Ways that it blocks are planned again.
 */
enum andante_status andante_stage_place_box(struct andante_stage *stage,
                                            const char *name,
                                            float x,
                                            float y,
                                            float z,
                                            float width,
                                            float height,
                                            float depth,
                                            float heading);

/**
 * The same with an upright cylinder.
 */
enum andante_status andante_stage_place_cylinder(struct andante_stage *stage,
                                                 const char *name,
                                                 float x,
                                                 float y,
                                                 float z,
                                                 float radius,
                                                 float height);

/**
 * Takes the obstacle of a name away.
 */
enum andante_status andante_stage_remove_obstacle(struct andante_stage *stage, const char *name);

/**
 * Puts a patch of ground into the world, or in the place of the one of the same name: an outline of corners (x, z, x, z...) that
 * can be walked on, level at a height, or with ground of one's own on top of that (its heights are added).
 *
 * The ground's function is called by any thread, by several at once, and also between calls of the stage, until `release` is
 * called with `user`. That happens once, from any thread, when nobody asks any more: at once if the call fails, else some time
 * after the ground was replaced or removed or the stage freed.
 */
enum andante_status andante_stage_place_ground(struct andante_stage *stage,
                                               const char *name,
                                               const float *corners,
                                               size_t count,
                                               float height,
                                               andante_ground ground,
                                               void *user,
                                               andante_release release);

/**
 * Takes the patch of ground of a name away.
 */
enum andante_status andante_stage_remove_ground(struct andante_stage *stage, const char *name);

/**
 * A built-in body: "humanoid", "monster", "kangaroo", "dog", "horse", "insect" or "ostrich". With `balances` its muscles keep it
 * on its feet, catch it by steps when it is pushed, and get it up again, which needs two feet; otherwise it hangs in its springs.
 */
enum andante_status andante_body_creature(const char *name,
                                          bool balances,
                                          struct andante_body **out);

/**
 * The same of the text of a body file.
 */
enum andante_status andante_body_read(const char *file, bool balances, struct andante_body **out);

/**
 * Lets `dt` seconds pass, at most one, in steps of the simulation.
 */
enum andante_status andante_body_step(struct andante_body *body, float dt);

/**
 * Shoves its trunk for a tenth of a second: an impulse in N s towards a heading in radians.
 */
enum andante_status andante_body_push(struct andante_body *body, float impulse, float direction);

/**
 * An impulse of three numbers in N s on a segment, at a point in the world, in the next step.
 */
enum andante_status andante_body_impulse(struct andante_body *body,
                                         size_t segment,
                                         const float *impulse,
                                         const float *at);

/**
 * Puts it back to where it began, as it was, so many metres higher.
 */
enum andante_status andante_body_reset(struct andante_body *body, float higher);

/**
 * How many segments it has.
 */
enum andante_status andante_body_segment_count(const struct andante_body *body, size_t *out);

/**
 * One of its segments.
 */
enum andante_status andante_body_segment(const struct andante_body *body,
                                         size_t index,
                                         struct andante_segment *out);

/**
 * Every segment in the world.
 */
enum andante_status andante_body_pose(const struct andante_body *body,
                                      struct andante_transform *transforms,
                                      size_t capacity);

/**
 * How it is.
 */
enum andante_status andante_body_condition(const struct andante_body *body, enum andante_condition *out);

/**
 * Its centre of mass, three numbers, and the seconds that were simulated. Either may be null.
 */
enum andante_status andante_body_state(const struct andante_body *body, float *centre, double *time);

/**
 * Frees a body; null is nothing.
 */
void andante_body_free(struct andante_body *body);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ANDANTE_H */
