// A stage in a loop of one's own: people come, are sent over hills and around a box that is put in their way, one is pushed,
// and one goes away again.
#include "andante.hpp"

#include <cmath>
#include <cstdio>

static const char *scene = R"(
version = 1
name = "yard"
[[platform]]
outline = [[-12, -12], [12, -12], [12, 12], [-12, 12]]
terrain = "hills:0.15:6"
)";

int main() try {
    andante::Stage stage = andante::Stage::read(scene);
    const andante::Character child = andante::Character::humanoid(1.2f);
    const auto ann = stage.spawn("Ann", andante::at(0, -6));
    const auto ben = stage.spawn("Ben", andante::at(2, -6), &child, 2);
    std::vector<andante_transform> joints(stage.actor(ann).joints);

    stage.go_to(ann, andante::at(0, 6));
    stage.go_to(ben, andante::at(3, 5));
    bool arrived = false;
    for (int frame = 0; frame < 60 * 25; ++frame) {
        if (frame == 150) {
            andante::check(andante_stage_place_box(stage.get(), "box", 0, 0, 2, 1.5f, 1, 0.6f, 0));
        }
        if (frame == 200) stage.push(ben, 12, 1.57f);
        stage.step(1 / 60.f);
        stage.models(ann, joints); // these are what is drawn
        for (const andante_event &event : stage.events()) {
            const std::string who =
                event.actor == ANDANTE_NOBODY ? "the world" : stage.name(event.actor);
            std::printf("%6.2f s  %s %s\n", event.time, who.c_str(), event.text);
            arrived |= event.actor == ann && std::string(event.word) == "arrived";
        }
    }
    const andante_actor there = stage.actor(ann);
    std::printf("Ann is at (%.2f, %.2f)\n", there.x, there.z);
    stage.despawn(ben);
    try {
        stage.go_to(ben, andante::at(0, 0));
    } catch (const andante::Error &error) {
        std::printf("%s\n", error.what());
    }
    return arrived && std::hypot(there.x, there.z - 6) < 0.05 ? 0 : 1;
} catch (const andante::Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
}
