#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "carom/import/file_sensors.h"
#include "carom/import/mjcf/element.h"
#include "carom/import/mjcf/settings.h"

namespace carom::mjcf {

/// A mesh asset: the hull of its vertices, in the frame of the geoms that show it.
struct Mesh {
  XmlNode* node = nullptr;
  std::shared_ptr<const Polyhedron> hull;  ///< null before it is loaded, and if it cannot be
  bool loaded = false;
  bool convex = true;     ///< false if a vertex lies within the hull: the hull's inertia is then not the mesh's
  bool is_drawn = false;  ///< `drawn` was looked for
  std::optional<VisualShape> drawn;  ///< none if it cannot be
};

/// An `<hfield>`, loaded once a geom that collides asks for it; `grid` stays null if it has a fault.
struct HeightAsset {
  XmlNode* node = nullptr;
  std::shared_ptr<const HeightGrid> grid;
  bool loaded = false;
};

/// A geom that collides, counts for inertia or is drawn.
struct Geom {
  std::string name;
  XmlNode* node = nullptr;
  Shape shape;
  Transform X_BG;
  SpatialInertia inertia;   ///< in B; mass 0 if it has none
  bool has_inertia = true;  ///< false for planes
  bool concave = false;
  int group = 0;
  int contype = 1, conaffinity = 1;
  int condim = 3, priority = 0;
  double friction = 1;
  std::optional<Visual> visual;  ///< its `body` is yet to be set
};

/// A body of the file, by its number in the file; 0 is the world.
struct FileBody {
  std::string name;
  int link = -1;
  Transform X_WB;                   ///< at the start
  double gravity_compensation = 0;  ///< share of its weight that is carried
};

/// The place to which a joint of the file went.
struct FileJoint {
  enum class Kind { scalar, ball, free } kind = Kind::scalar;
  std::string name;
  XmlNode* node = nullptr;
  int link = -1;                                                 ///< before links are merged
  int coordinate = 0;                                            ///< of a scalar joint: which of the link's coordinates
  double ref = 0;                                                ///< rad or m
  double springref = 0;                                          ///< rad or m: where springs are slack
  double drive_limit = std::numeric_limits<double>::infinity();  ///< of all actuators together, N m or N
  double time_constant = 0, damping_ratio = 0;                   ///< of springdamper, s; 0: none
};

/// Inertia that the coordinates of a free joint add to their body. In MuJoCo it is a diagonal of the mass matrix, for
/// the velocity of the body's origin and the angular velocity in body axes.
struct Armature {
  int link = -1;
  double inertia = 0;  ///< kg at the origin, and kg m² about every axis through it
};

struct FileSite {
  int body = 0;
  Transform X_BF;
};

/// A tendon whose length is a sum of joint coordinates.
struct FixedTendon {
  std::vector<CoordinateShare> shares;  ///< bodies are links before they are merged; none if the coefficients cancel
  double slack = 0;                     ///< its length where every joint is at its springref
  double drive_limit =
      std::numeric_limits<double>::infinity();  ///< of all actuators together; 0: not the same both ways
  double joint_limit =
      std::numeric_limits<double>::infinity();  ///< the same by its one joint, on the length; 0: of one of several
  XmlNode* node = nullptr;
  bool is_idle = false;  ///< has neither spring nor limit, and no actuator acts on it
};

/// The state that the readers of one document share.
struct Reader {
  Reader(std::string file_name, const ImportOptions& import_options)
      : file(std::move(file_name)), options(import_options), faults(file), undrawn(file) {}

  std::string file;
  const ImportOptions& options;
  XmlFaults faults;
  XmlFaults undrawn;  ///< faults of what is drawn, which keep no file from being used
  ImportedModel model;
  Compiler compiler;
  bool aligned = false;  ///< free joints of bodies, or of an attached file, stand at their mass centres
  std::map<std::string, Compiler> attached;  ///< settings of the bodies that come from a file that is attached
  std::set<std::string> attached_classes;    ///< outermost default classes of such files
  Options global;
  Defaults defaults;
  std::map<std::string, Mesh> meshes;
  std::map<std::string, HeightAsset> height_fields;
  std::map<std::string, Rgba> colors;  ///< of materials
  std::vector<FileBody> bodies;
  std::vector<FileJoint> joints;  ///< in MuJoCo's order
  std::vector<Armature> armatures;
  std::vector<XmlNode*> link_nodes;
  std::vector<Geom> colliding;                         ///< by collider
  std::map<std::string, int> body_named, joint_named;  ///< numbers in `bodies` and `joints`
  std::map<std::string, int> geom_named;               ///< numbers of colliders; −1 for geoms that never collide
  std::map<std::string, FileSite> site_named;
  std::map<std::string, FixedTendon> fixed_tendons;
  std::set<std::pair<int, int>>
      actuated;  ///< what an actuator drives: link and coordinate, or −1 and the place in fixed_tendons

  /// A note on something that is read but not honoured, and why.
  void note(const XmlNode& at, const std::string& text) {
    model.unused.push_back({at.file.empty() ? file : at.file, at.line, text});
  }
  /// Number of the body that an attribute names, 0 if it is missing; a fault and −1 if there is none.
  int body_of(Element& element, const std::string& attribute);
  /// Number of the joint that an attribute names; a fault and −1 if there is none.
  int joint_of(Element& element, const std::string& attribute);
};

/// Puts the children of what `<include>` names in its place, everywhere in the document.
void include_files(XmlNode& root, Reader& reader);

/// Puts bodies of the files that `<attach>` names in its place, everywhere in the document, with what their files say
/// of them.
void expand_attaches(XmlNode& root, Reader& reader);

/// Puts the copies of every `<replicate>` in its place, and those of what refers to them in the place of that.
void expand_replicates(XmlNode& root, Reader& reader);

/// The mass matrix of the file's layout, with the first row of each link.
struct StartInertia {
  Eigen::MatrixXd matrix;
  std::vector<int> first;
};
StartInertia start_inertia(const Reader& reader);
/// Springs and dampers of hinges and slides by `springdamper` (MuJoCo's AutoSpringDamper): stiffness I/(t² ζ²), damping
/// 2 I/t. The inertia is I = 1/(M⁻¹)_jj at the layout, as if all else moved freely.
void set_spring_dampers(Reader& reader);

/// The meshes of all `<asset>`s, not yet loaded.
void list_meshes(XmlNode& root, Reader& reader);
/// The mesh of that name, loaded; null with a fault at the node if it has a fault.
const Mesh* find_mesh(const XmlNode& at, const std::string& name, Reader& reader);
/// Place of a mesh's or height field's file by the settings of meshdir and strippath.
std::string asset_file_of(const std::string& given, const Compiler& compiler);
/// Mesh vertices by its attribute `vertex`.
std::vector<Vec3> inline_vertices(Element& element, XmlFaults& faults);
/// The frame and the scale of a mesh: MuJoCo moves the reference frame to the origin first, and scales along the new
/// axes. A point p goes to scale ∘ Rᵀ (p − origin).
struct MeshPlace {
  Vec3 origin, scale;
  Mat3 R;
};
MeshPlace read_mesh_place(Element& element, XmlFaults& faults);

/// The colours of the `<material>`s of all `<asset>`s.
void list_colors(XmlNode& root, Reader& reader);
/// The mesh of that name as it is drawn, its file unopened; none, and a note, if it cannot be.
std::optional<VisualShape> drawn_mesh(const XmlNode& at, const std::string& name, Reader& reader);
/// The last of the groups whose geoms MuJoCo shows at first.
inline constexpr int last_drawn_group = 2;
/// The geom's picture; nothing if it has no shape that is drawn, or lets everything through. Its pose is yet to be set.
std::optional<Visual> read_visual(Element& element, std::optional<VisualShape> shape, Reader& reader);

/// The height fields of all `<asset>`s, not yet loaded.
void list_height_fields(XmlNode& root, Reader& reader);
/// The height field of that name, loaded; null if it has a fault or is missing, which is a fault at the node.
std::shared_ptr<const HeightGrid> find_height_field(const XmlNode& at, const std::string& name, Reader& reader);

/// A geom whose frame's parent E is at X_BE in its body. Nothing if it has a fault, or if it neither collides, counts
/// for inertia nor is drawn. Set `needs_inertia` if its body takes inertia from geoms.
std::optional<Geom> read_geom(XmlNode& node, const std::string& childclass, const Transform& X_BE, bool needs_inertia,
                              Reader& reader);

/// A joint element, its frame's parent and the class that holds for it.
struct JointElement {
  XmlNode* node = nullptr;
  std::string childclass;
  Transform X_BE;
};
/// The inboard joint of the link that is added next, which hangs on `parent` at X_PB: of all joints of the body.
/// Notes them in reader.joints.
std::optional<Joint> read_joints(const std::vector<JointElement>& elements, const FileBody& body, int parent,
                                 const Transform& X_PB, VectorX& start, Reader& reader);

/// `<inertial>`, in the body's frame.
SpatialInertia read_inertial(XmlNode& node, Reader& reader);
/// The inertia with what `<compiler>` demands of every body.
SpatialInertia bounded_inertia(const SpatialInertia& inertia, const Compiler& compiler);

/// `<worldbody>`: links, joints, geoms and sites.
void read_bodies(XmlNode& root, Reader& reader);

/// Materials of the colliders, `<contact>`, and who may collide with a parent.
void read_contacts(XmlNode& root, Reader& reader);
/// `<equality>`.
void read_equalities(XmlNode& root, Reader& reader);
/// `<tendon>` and `<actuator>`.
void read_tendons(XmlNode& root, Reader& reader);
void read_actuators(XmlNode& root, Reader& reader);
/// The inertial, force and touch sensors of `<sensor>`, before links are merged.
std::vector<FileSensor> read_sensors(XmlNode& root, Reader& reader);
/// `<keyframe>`, with the joints' links counted as in `link_of`.
void read_keyframes(XmlNode& root, const std::vector<int>& link_of, Reader& reader);

}  // namespace carom::mjcf
