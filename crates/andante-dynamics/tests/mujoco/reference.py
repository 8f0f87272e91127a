"""Accelerations of random trees by MuJoCo, in the conventions of this crate.

    pip install mujoco numpy
    python reference.py > reference.txt

Written with MuJoCo 4.0.0. Each tree is

    tree LINKS
    link PARENT JOINT  origin(3) quaternion xyzw(4)  mass centre(3)  inertia xx yy zz xy xz yz  axis(3)
    q ...
    v ...
    tau ...
    a ...

with parent -1 for the world and a joint of floating, ball or hinge.
"""

import mujoco
import numpy as np

GRAVITY = (0.4, -9.81, 0.7)


def rotation(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)  # x, y, z, w


def matrix(q):
    m = np.zeros(9)
    mujoco.mju_quat2Mat(m, np.array([q[3], q[0], q[1], q[2]]))
    return m.reshape(3, 3)


def numbers(*parts):
    return " ".join(f"{x:.17g}" for part in parts for x in np.atleast_1d(part))


def tree(rng, count, floating):
    links = []
    for i in range(count):
        parent = -1 if i == 0 else int(rng.integers(max(0, i - 4), i))
        kind = "floating" if i == 0 and floating else ["ball", "hinge"][int(rng.integers(2))]
        mass = rng.uniform(0.5, 5)
        size = rng.uniform(0.05, 0.3, 3)
        moments = mass / 12 * np.array([size[1] ** 2 + size[2] ** 2, size[0] ** 2 + size[2] ** 2, size[0] ** 2 + size[1] ** 2])
        r = matrix(rotation(rng))
        inertia = r @ np.diag(moments) @ r.T
        axis = rng.normal(size=3)
        links.append(dict(
            parent=parent, kind=kind, origin=rng.uniform(-0.3, 0.3, 3), quat=rotation(rng), mass=mass,
            centre=rng.uniform(-0.2, 0.2, 3),
            inertia=np.array([inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2]]),
            axis=axis / np.linalg.norm(axis)))
    return links


def xml(links):
    children = {i: [] for i in range(-1, len(links))}
    for i, link in enumerate(links):
        children[link["parent"]].append(i)

    def body(i):
        link = links[i]
        x, y, z, w = link["quat"]
        joint = {"floating": '<freejoint name="j%d"/>' % i,
                 "ball": '<joint name="j%d" type="ball"/>' % i,
                 "hinge": '<joint name="j%d" type="hinge" axis="%s"/>' % (i, numbers(link["axis"]))}[link["kind"]]
        inertial = '<inertial pos="%s" mass="%s" fullinertia="%s"/>' % (
            numbers(link["centre"]), numbers(link["mass"]), numbers(link["inertia"]))
        inside = "".join(body(c) for c in children[i])
        return '<body pos="%s" quat="%s">%s%s%s</body>' % (
            numbers(link["origin"]), numbers(w, x, y, z), joint, inertial, inside)

    return ('<mujoco><option gravity="%s"/><worldbody>%s</worldbody></mujoco>'
            % (numbers(GRAVITY), "".join(body(c) for c in children[-1])))


def write(rng, count, floating):
    links = tree(rng, count, floating)
    model = mujoco.MjModel.from_xml_string(xml(links))
    data = mujoco.MjData(model)
    q, v, tau, places = [], [], [], []
    for i, link in enumerate(links):
        joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, "j%d" % i)
        qa, va = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        places.append((link["kind"], va))
        if link["kind"] == "hinge":
            own_q, own_v, own_tau = rng.uniform(-3, 3, 1), rng.uniform(-3, 3, 1), rng.uniform(-20, 20, 1)
            data.qpos[qa], data.qvel[va], data.qfrc_applied[va] = own_q[0], own_v[0], own_tau[0]
        else:
            # MuJoCo gives angular velocities and torques in the child's axes, this crate in those it turns from.
            turn = rotation(rng)
            r = matrix(turn)
            spin, moment = rng.uniform(-3, 3, 3), rng.uniform(-20, 20, 3)
            own_q, own_v, own_tau = turn, spin, moment
            if link["kind"] == "floating":
                place, speed = rng.uniform(-1, 1, 3), rng.uniform(-3, 3, 3)
                own_q = np.concatenate([place, turn])
                own_v = np.concatenate([spin, speed])
                own_tau = np.zeros(6)
                data.qpos[qa:qa + 3] = place
                data.qvel[va:va + 3] = speed
                qa, va, moment = qa + 3, va + 3, np.zeros(3)
            data.qpos[qa:qa + 4] = [turn[3], turn[0], turn[1], turn[2]]
            data.qvel[va:va + 3] = r.T @ spin
            data.qfrc_applied[va:va + 3] = r.T @ moment
        q.append(own_q)
        v.append(own_v)
        tau.append(own_tau)
    mujoco.mj_forward(model, data)
    a = []
    for (kind, va), own_q in zip(places, q):
        if kind == "hinge":
            a.append(data.qacc[va:va + 1])
        elif kind == "ball":
            a.append(matrix(own_q) @ data.qacc[va:va + 3])
        else:
            a.append(matrix(own_q[3:]) @ data.qacc[va + 3:va + 6])
            a.append(data.qacc[va:va + 3])
    print("tree", count)
    for link in links:
        print("link", link["parent"], link["kind"], numbers(
            link["origin"], link["quat"], link["mass"], link["centre"], link["inertia"], link["axis"]))
    for name, parts in [("q", q), ("v", v), ("tau", tau), ("a", a)]:
        print(name, numbers(*parts))


if __name__ == "__main__":
    print("gravity", numbers(GRAVITY))
    for seed, (count, floating) in enumerate([(2, False), (5, True), (8, False), (11, True), (20, True), (40, False)]):
        write(np.random.default_rng(seed), count, floating)
