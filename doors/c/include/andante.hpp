// Andante for C++17: andante.h with handles that free themselves and errors that are thrown.
//
//   andante::Stage stage = andante::Stage::read(scene);
//   stage.go_to(0, andante::at(2, 3));
//   while (!stage.actor(0).idle) stage.step(1 / 60.f);
//
// Everything else of andante.h can be called with get(). Functions that are called back must not throw.
#ifndef ANDANTE_HPP
#define ANDANTE_HPP

#include "andante.h"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace andante {

/// What a call was refused for.
class Error : public std::runtime_error {
public:
    Error(andante_status status, const char *message) : std::runtime_error(message), status(status) {}
    const andante_status status;
};

/// Throws unless a call was carried out.
inline void check(andante_status status) {
    if (status != ANDANTE_OK) throw Error(status, andante_last_error());
}

/// A place to go to, on its highest ground unless a height is given, facing anywhere unless a heading is.
inline andante_waypoint at(float x, float z, float height = NAN, float heading = NAN) {
    return {x, z, height, heading};
}

/// A handle that frees itself; moved, not copied.
template <class T, void (*Free)(T *)> class Handle {
    struct Deleter {
        void operator()(T *handle) const { Free(handle); }
    };
    std::unique_ptr<T, Deleter> own;

protected:
    template <class Make> static T *made(Make make) {
        T *handle = nullptr;
        check(make(&handle));
        return handle;
    }

public:
    explicit Handle(T *handle) : own(handle) {}
    T *get() const { return own.get(); }
};

class Skeleton : public Handle<andante_skeleton, andante_skeleton_free> {
public:
    using Handle::Handle;
    std::size_t size() const {
        std::size_t count = 0;
        check(andante_skeleton_joint_count(get(), &count));
        return count;
    }
    andante_joint joint(std::size_t index) const {
        andante_joint joint{};
        check(andante_skeleton_joint(get(), index, &joint));
        return joint;
    }
};

class Asset : public Handle<andante_asset, andante_asset_free> {
public:
    using Handle::Handle;
    static Asset read(const std::string &path) {
        return Asset(made([&](andante_asset **out) { return andante_asset_read(path.c_str(), out); }));
    }
    void write(const std::string &path) const { check(andante_asset_write(get(), path.c_str())); }
    Skeleton skeleton() const {
        andante_skeleton *out = nullptr;
        check(andante_asset_skeleton(get(), &out));
        return Skeleton(out);
    }
};

class Character : public Handle<andante_character, andante_character_free> {
public:
    using Handle::Handle;
    static Character humanoid(float height = NAN) {
        return Character(
            made([&](andante_character **out) { return andante_character_humanoid(height, out); }));
    }
    static Character read(const std::string &path, float height = NAN) {
        return Character(made([&](andante_character **out) {
            return andante_character_read(path.c_str(), height, out);
        }));
    }
    Skeleton skeleton() const {
        andante_skeleton *out = nullptr;
        check(andante_character_skeleton(get(), &out));
        return Skeleton(out);
    }
};

class Player : public Handle<andante_player, andante_player_free> {
public:
    using Handle::Handle;
    explicit Player(const Character &character)
        : Handle(made([&](andante_player **out) { return andante_player_new(character.get(), out); })) {}
    void advance(float dt, float speed, float turn_rate = 0) {
        check(andante_player_advance(get(), dt, speed, turn_rate));
    }
    void models(std::vector<andante_transform> &joints) const {
        check(andante_player_models(get(), joints.data(), joints.size()));
    }
};

class Stage : public Handle<andante_stage, andante_stage_free> {
public:
    using Handle::Handle;
    static Stage read(const std::string &scene, std::uint64_t seed = 1) {
        return Stage(
            made([&](andante_stage **out) { return andante_stage_read(scene.c_str(), seed, out); }));
    }
    static Stage built_in(const std::string &name, std::uint64_t seed = 1) {
        return Stage(
            made([&](andante_stage **out) { return andante_stage_built_in(name.c_str(), seed, out); }));
    }
    void step(float dt) { check(andante_stage_step(get(), dt)); }
    std::uint32_t spawn(const std::string &name, andante_waypoint start,
                        const Character *character = nullptr, int body = 0) {
        const andante_part part{name.c_str(), start, character ? character->get() : nullptr,
                                true, true, body};
        std::uint32_t number = ANDANTE_NOBODY;
        check(andante_stage_spawn(get(), &part, &number));
        return number;
    }
    void despawn(std::uint32_t actor) { check(andante_stage_despawn(get(), actor)); }
    void go_to(std::uint32_t actor, andante_waypoint to, bool run = false) {
        check(andante_stage_go_to(get(), actor, to, run));
    }
    void push(std::uint32_t actor, float impulse, float direction) {
        check(andante_stage_push(get(), actor, impulse, direction));
    }
    andante_actor actor(std::uint32_t number) const {
        andante_actor told{};
        check(andante_stage_actor(get(), number, &told));
        return told;
    }
    std::string name(std::uint32_t actor) const {
        std::size_t length = 0;
        check(andante_stage_actor_name(get(), actor, nullptr, 0, &length));
        std::string name(length + 1, '\0');
        check(andante_stage_actor_name(get(), actor, name.data(), name.size(), nullptr));
        name.resize(length);
        return name;
    }
    /// What happened in the last step; texts stay until the next.
    std::vector<andante_event> events() const {
        std::size_t count = 0;
        check(andante_stage_event_count(get(), &count));
        std::vector<andante_event> events(count);
        for (std::size_t i = 0; i < count; ++i) check(andante_stage_event(get(), i, &events[i]));
        return events;
    }
    void models(std::uint32_t actor, std::vector<andante_transform> &joints) const {
        check(andante_stage_models(get(), actor, joints.data(), joints.size()));
    }
};

class Body : public Handle<andante_body, andante_body_free> {
public:
    using Handle::Handle;
    static Body creature(const std::string &name, bool balances) {
        return Body(made([&](andante_body **out) {
            return andante_body_creature(name.c_str(), balances, out);
        }));
    }
    void step(float dt) { check(andante_body_step(get(), dt)); }
    void push(float impulse, float direction) { check(andante_body_push(get(), impulse, direction)); }
    andante_condition condition() const {
        andante_condition told = ANDANTE_LIMP;
        check(andante_body_condition(get(), &told));
        return told;
    }
};

} // namespace andante

#endif
