#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/import/imported_model.h"
#include "carom/model/appearance.h"

namespace carom {

/// A part of a mesh file: what the nodes of that name hold themselves or, if no node is called so, the meshes of that
/// name. Empty: all.
struct MeshChoice {
  std::string part = {};
  bool centered = false;  ///< moved until the middle of its bounding box lies at the origin
};

/// Vertices of all parts of a mesh file (by assimp, which reads in single precision), each where its file puts it. The
/// ending tells the kind. STL, OBJ and PLY are taken as they are, COLLADA (.dae) in metres by its `<unit>`. By its
/// specification, the y axis of glTF (.gltf, .glb) points up. It is turned so that z does: (x, y, z) becomes (x, −z,
/// y). The up axis of COLLADA is not applied: RViz, MoveIt and Gazebo do not either, and robots are drawn to look right
/// there.
/// Throws Error with the end of a sentence that starts with the file's name. The file is missing, is larger than 64
/// MiB, is no mesh, has no triangle, has a vertex that is not finite, or has no part of the name.
std::vector<Vec3> mesh_vertices(const std::string& path, const MeshChoice& choice = {});

/// The triangles of a mesh file that have one material.
struct MeshPart {
  TriangleMesh surface;
  std::optional<Rgba> color;  ///< opaque; only COLLADA and glTF files are asked for it
};
/// The surface in a mesh file, by materials, in the same frame and with the same errors. Faces become triangles, and
/// vertices at one point one. Throws Error too where a face names a vertex or a material that is not there.
std::vector<MeshPart> mesh_parts(const std::string& path, const MeshChoice& choice = {});

/// A mesh file that is opened once for all of these.
class OpenMesh {
 public:
  /// Throws Error as mesh_vertices does, except for what the vertices show.
  explicit OpenMesh(std::string path, MeshChoice choice = {});
  OpenMesh(const OpenMesh&) = delete;
  OpenMesh& operator=(const OpenMesh&) = delete;
  ~OpenMesh();

  std::vector<Vec3> vertices() const;  ///< mesh_vertices
  /// The same vertices, none joined, and the faces. A face of n corners becomes n − 2 triangles with the first in
  /// common. If it is not convex, they overlap, but enclose with the others what the face does. Throws Error too where
  /// a face names a vertex that is not there.
  TriangleMesh faces() const;
  /// mesh_parts. It changes what was read, so that it comes last.
  std::vector<MeshPart> parts();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

/// A surface in the frame of a mesh's file, put where the visual has it. A mirror turns none inside out.
TriangleMesh placed(const VisualMesh& mesh, TriangleMesh surface);

/// A file names something that is nowhere. what() is a sentence with every place that was looked at.
class MissingFile : public Error {
 public:
  MissingFile(std::string uri, std::vector<std::string> places);
  const std::string& uri() const { return uri_; }
  const std::vector<std::string>& places() const { return places_; }

 private:
  std::string uri_;
  std::vector<std::string> places_;
};

/// Place of a mesh or model that a file names by `package://`, `model://`, `file://`, an absolute path or one relative
/// to the file's folder. Throws Error, MissingFile if nothing is there.
std::string resolve_path(const std::string& uri, const std::string& from_file, const ImportOptions& options);

/// The folders that ROS_PACKAGE_PATH, AMENT_PREFIX_PATH (of each its `share`), GAZEBO_MODEL_PATH, GZ_SIM_RESOURCE_PATH
/// and SDF_PATH name, in this order.
std::vector<std::string> search_path_of_environment();

}  // namespace carom
