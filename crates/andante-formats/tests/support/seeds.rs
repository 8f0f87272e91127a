//! The small files that fuzzing starts from: well-formed ones by feature, and malformed ones with a
//! word that their error message must have.

use super::small::*;
use serde_json::json;

/// Files that can be read.
pub fn good() -> Vec<(&'static str, Vec<u8>)> {
    let times = [0.0, 0.5, 1.0];
    let mut files = vec![
        ("pole.glb", pole().glb()),
        ("skinned.glb", skinned_pole().glb()),
        ("linear.glb", swinging_pole("LINEAR", &times).glb()),
        ("step.glb", swinging_pole("STEP", &times).glb()),
        ("cubic.glb", swinging_pole("CUBICSPLINE", &times).glb()),
        ("uneven.glb", swinging_pole("LINEAR", &[0.1, 0.1, 0.77, 3.0]).glb()),
        ("nodes-only.glb", {
            let mut doc = pole();
            doc.json.as_object_mut().unwrap().remove("skins");
            doc.glb()
        }),
    ];
    let mut add = |name, doc: &Doc| files.push((name, doc.glb()));

    let mut doc = swinging_pole("LINEAR", &times);
    let mesh = triangle(&mut doc);
    doc.json["nodes"][1]["mesh"] = json!(mesh);
    doc.json["nodes"][1]["scale"] = json!([-2.0, 1.0, 0.5]);
    add("rigid-part-mirrored.glb", &doc);

    let mut doc = skinned_pole();
    let input = doc.floats("SCALAR", &times);
    let output = doc.floats("VEC3", &[1.0, 1.0, 1.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0]);
    doc.animate(0, "scale", "LINEAR", input, output);
    let output = doc.normalized(I8, "VEC4", &[0, 0, 0, 127, 90, 0, 0, 90, 0, 0, 0, -128]);
    doc.animate(1, "rotation", "LINEAR", input, output);
    add("animated-scale-and-bytes.glb", &doc);

    let mut doc = pole();
    let input = doc.floats("SCALAR", &times);
    let output = doc.push("accessors", json!({ "componentType": F32, "type": "VEC3", "count": 3 }));
    let indices = doc.view(&[2]);
    let values = doc.view(&[0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 128, 63]);
    doc.json["accessors"][output]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": U8 },
        "values": { "bufferView": values },
    });
    doc.animate(1, "translation", "LINEAR", input, output);
    add("sparse.glb", &doc);

    let mut doc = swinging_pole("LINEAR", &times);
    let channel = json!({ "sampler": 0, "target": { "node": 50, "path": "weights" } });
    doc.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    add("weights-of-no-node.glb", &doc);

    let mut doc = skinned_pole();
    let indices = doc.shorts("SCALAR", &[0, 1, 2, 3, 4, 5]);
    let colors = doc.normalized(U16, "VEC3", &[65535; 18]);
    let uvs = doc.floats("VEC2", &[0.5; 12]);
    let view = doc.view(b"\x89PNG\r\n\x1a\n");
    doc.push("images", json!({ "bufferView": view }));
    doc.push("textures", json!({ "source": 0 }));
    let pbr = json!({ "baseColorTexture": { "index": 0 } });
    doc.push("materials", json!({ "pbrMetallicRoughness": pbr }));
    let primitive = &mut doc.json["meshes"][0]["primitives"][0];
    primitive["indices"] = json!(indices);
    primitive["mode"] = json!(5);
    primitive["material"] = json!(0);
    primitive["attributes"]["COLOR_0"] = json!(colors);
    primitive["attributes"]["TEXCOORD_0"] = json!(uvs);
    add("strip-colours-texture.glb", &doc);

    let mut doc = skinned_pole();
    let weights = doc.floats("VEC4", &[f32::MAX; 24]);
    doc.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    add("weights-huge.glb", &doc);

    let mut doc = skinned_pole();
    add_skinned_mesh(&mut doc, &[0.3; 18]);
    let binds: Vec<f32> =
        [-0.5, -1.0].into_iter().flat_map(|y| translation([1.0, y, 0.0])).collect();
    let binds = doc.floats("MAT4", &binds);
    doc.push("skins", json!({ "joints": [0, 1], "inverseBindMatrices": binds }));
    doc.json["nodes"][3]["skin"] = json!(1);
    add("two-skins.glb", &doc);

    let mut doc = pole();
    doc.push("nodes", json!({ "matrix": [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1] }));
    doc.json["skins"] = json!([{ "joints": [0, 1] }, { "joints": [2] }]);
    add("two-roots.glb", &doc);

    let doc = swinging_pole("LINEAR", &[0.0, 0.5]);
    let text = doc.gltf("data:;base64,AAAA");
    // The buffer is too short for its accessors; as text it is a seed of its own.
    files.push(("text.gltf", {
        let mut json: serde_json::Value = serde_json::from_slice(&text).unwrap();
        for array in ["animations", "accessors", "bufferViews", "meshes"] {
            json.as_object_mut().unwrap().remove(array);
        }
        json["nodes"] = json!([{ "name": "a", "children": [1] }, { "name": "b" }]);
        json["skins"] = json!([{ "joints": [0, 1] }]);
        json["scenes"] = json!([{ "nodes": [0] }]);
        json["buffers"] = json!([{ "byteLength": 3, "uri": "data:;base64,AAAA" }]);
        format!("{json:#}").into_bytes()
    }));
    files
}

/// Files that must be refused.
pub fn bad() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let good = swinging_pole("LINEAR", &[0.0, 0.5, 1.0]);
    let whole = good.glb();
    let mut files = vec![
        ("empty.glb", Vec::new(), "not a glTF file"),
        ("magic-only.glb", b"glTF".to_vec(), "cut off"),
        ("not-gltf.bin", b"\x7fELF".to_vec(), "not a glTF file"),
        ("cut-off.glb", whole[..whole.len() / 2].to_vec(), "cut off"),
        (
            "broken.gltf",
            b"{ \"asset\": { \"version\": \"2.0\" },\n  \"nodes\": [ }".to_vec(),
            "line 2",
        ),
        ("deep.gltf", [b"{\"extras\":".to_vec(), b"[".repeat(400)].concat(), "EOF"),
        ("version-1.glb", [b"glTF\x01\0\0\0".to_vec(), vec![12, 0, 0, 0]].concat(), "version 1"),
        (
            "chunk-too-long.glb",
            {
                let mut bytes = whole.clone();
                bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
                bytes
            },
            "cut off",
        ),
        ("no-json.glb", b"glTF\x02\0\0\0\x0c\0\0\0".to_vec(), "no JSON chunk"),
        ("no-asset.gltf", b"{}".to_vec(), "asset.version"),
    ];
    let mut add = |name, word, change: &dyn Fn(&mut Doc)| {
        let mut doc = good.clone();
        change(&mut doc);
        files.push((name, doc.glb(), word));
    };
    add("draco.glb", "KHR_draco_mesh_compression", &|doc| {
        doc.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    });
    add("meshopt.glb", "EXT_meshopt_compression", &|doc| {
        doc.json["extensionsRequired"] =
            json!(["KHR_texture_transform", "EXT_meshopt_compression"]);
    });
    add("ring.glb", "ring", &|doc| doc.json["nodes"][1]["children"] = json!([0]));
    add("own-child.glb", "ring", &|doc| doc.json["nodes"][0]["children"] = json!([0, 1]));
    add("two-parents.glb", "nodes[1]: is a child of both", &|doc| {
        doc.json["nodes"][2]["children"] = json!([1]);
    });
    add("child-missing.glb", "nodes[77]", &|doc| doc.json["nodes"][1]["children"] = json!([77]));
    add("joint-missing.glb", "nodes[77]", &|doc| doc.json["skins"][0]["joints"] = json!([0, 77]));
    add("no-joints.glb", "skins[0]", &|doc| doc.json["skins"][0]["joints"] = json!([]));
    add("few-binds.glb", "skins[0]", &|doc| {
        doc.json["skins"][0]["joints"] = json!([0, 1, 1]);
    });
    add("scene-missing.glb", "scenes[9]", &|doc| doc.json["scene"] = json!(9));
    add("beyond-view.glb", "accessors[0]", &|doc| doc.json["accessors"][0]["count"] = json!(7));
    add("beyond-buffer.glb", "bufferViews[0]", &|doc| {
        doc.json["bufferViews"][0]["byteLength"] = json!(1_000_000);
    });
    add("offset-overflow.glb", "bufferViews[0]", &|doc| {
        doc.json["bufferViews"][0]["byteOffset"] = json!(u64::MAX);
    });
    add("count-overflow.glb", "accessors[0]", &|doc| {
        doc.json["accessors"][0]["count"] = json!(u64::MAX);
    });
    add("zeros-without-end.glb", "accessors[0]", &|doc| {
        let accessor = &mut doc.json["accessors"][0];
        accessor["count"] = json!(1_000_000_000);
        accessor.as_object_mut().unwrap().remove("bufferView");
    });
    add("stride-too-short.glb", "overlap", &|doc| {
        doc.json["bufferViews"][0]["byteStride"] = json!(4);
    });
    add("component-unknown.glb", "componentType 5124", &|doc| {
        doc.json["accessors"][0]["componentType"] = json!(5124);
    });
    add("kind-unknown.glb", "VEC5", &|doc| doc.json["accessors"][0]["type"] = json!("VEC5"));
    add("kind-wrong.glb", "accessors[0]", &|doc| {
        doc.json["accessors"][0]["type"] = json!("SCALAR")
    });
    add("accessor-missing.glb", "accessors[99]", &|doc| {
        doc.json["animations"][0]["samplers"][0]["output"] = json!(99);
    });
    add("view-missing.glb", "bufferViews[99]", &|doc| {
        doc.json["accessors"][0]["bufferView"] = json!(99);
    });
    add("sparse-index.glb", "sparse index 255", &|doc| {
        let view = doc.view(&[255; 16]);
        doc.json["accessors"][0]["sparse"] = json!({
            "count": 1,
            "indices": { "bufferView": view, "componentType": U8 },
            "values": { "bufferView": view },
        });
    });
    add("sparse-too-long.glb", "sparse elements reach", &|doc| {
        let view = doc.view(&[0; 16]);
        doc.json["accessors"][0]["sparse"] = json!({
            "count": u64::MAX,
            "indices": { "bufferView": view, "componentType": U8 },
            "values": { "bufferView": view },
        });
    });
    add("sampler-missing.glb", "animations[0].samplers[5]", &|doc| {
        doc.json["animations"][0]["channels"][0]["sampler"] = json!(5);
    });
    add("node-of-channel-missing.glb", "nodes[50]", &|doc| {
        doc.json["animations"][0]["channels"][0]["target"]["node"] = json!(50);
    });
    add("keys-and-values.glb", "animations[0].channels[0] (node `top`)", &|doc| {
        let times = doc.floats("SCALAR", &[0.0, 1.0]);
        doc.json["animations"][0]["samplers"][0]["input"] = json!(times);
    });
    add("keys-backwards.glb", "run backwards", &|doc| {
        let times = doc.floats("SCALAR", &[0.0, 2.0, 1.0]);
        doc.json["animations"][0]["samplers"][0]["input"] = json!(times);
    });
    add("no-keys.glb", "without keys", &|doc| {
        let times = doc.accessor(F32, "SCALAR", 0, &[]);
        doc.json["animations"][0]["samplers"][0]["input"] = json!(times);
    });
    add("endless.glb", "animations[0]", &|doc| {
        let times = doc.floats("SCALAR", &[0.0, 0.1, 1e30]);
        doc.json["animations"][0]["samplers"][0]["input"] = json!(times);
    });
    add("rotation-zero.glb", "quaternion", &|doc| {
        let values = doc.floats("VEC4", &[0.0; 12]);
        doc.json["animations"][0]["samplers"][0]["output"] = json!(values);
    });
    add("rotation-nan.glb", "not a finite number", &|doc| {
        let values = doc.floats("VEC4", &[f32::NAN; 12]);
        doc.json["animations"][0]["samplers"][0]["output"] = json!(values);
    });
    add("position-infinite.glb", "not a finite number", &|doc| {
        let values = doc.floats("VEC3", &[f32::INFINITY; 18]);
        doc.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(values);
    });
    add("node-rotation-zero.glb", "nodes[1] (`top`)", &|doc| {
        doc.json["nodes"][1]["rotation"] = json!([0.0, 0.0, 0.0, 0.0]);
    });
    add("scale-overflow.glb", "joint `top`", &|doc| {
        doc.json["nodes"][0]["scale"] = json!([1e300, 1e300, 1e300]);
        doc.json["nodes"][1]["scale"] = json!([1e300, 1e300, 1e300]);
    });
    add("too-far.glb", "top", &|doc| {
        doc.json["nodes"][1]["translation"] = json!([1e300, 0.0, 0.0])
    });
    add("index-beyond.glb", "meshes[0].primitives[0]", &|doc| {
        let indices = doc.shorts("SCALAR", &[0, 1, 6]);
        doc.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    });
    add("skin-joint-beyond.glb", "meshes[0].primitives[0]", &|doc| {
        let joints = doc.accessor(U8, "VEC4", 6, &[9; 24]);
        doc.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    });
    add("joints-without-weights.glb", "meshes[0].primitives[0]", &|doc| {
        let attributes = &mut doc.json["meshes"][0]["primitives"][0]["attributes"];
        attributes.as_object_mut().unwrap().remove("WEIGHTS_0");
    });
    add("normals-short.glb", "normals for 6 positions", &|doc| {
        let normals = doc.floats("VEC3", &[0.0, 0.0, 1.0]);
        doc.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    });
    add("mesh-missing.glb", "meshes[3]", &|doc| doc.json["nodes"][2]["mesh"] = json!(3));
    add("skin-missing.glb", "skins[3]", &|doc| doc.json["nodes"][2]["skin"] = json!(3));
    add("material-missing.glb", "materials[0]", &|doc| {
        doc.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    });
    files.push(("outside.gltf", good.gltf("../../secret.bin"), "the folder to look in is not known"));
    files.push(("short-buffer.gltf", good.gltf("data:;base64,AAAA"), "buffers[0]"));
    files
}
