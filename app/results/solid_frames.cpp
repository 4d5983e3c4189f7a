#include "app/results/solid_frames.hpp"

#include "app/results/solid_tables.hpp"
#include "app/results/vtk_file.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeUInt64Array.h>

namespace slipwave::app {

namespace {

using dynamics::Solid;
using dynamics::SolidContact;
using Eigen::Vector3d;

vtkSmartPointer<vtkIntArray> new_integers(const char* name) {
  auto array = vtkSmartPointer<vtkIntArray>::New();
  array->SetName(name);
  return array;
}

/// What a frame says of bodies, a row for each of their faces.
struct BodyArrays {
  vtkSmartPointer<vtkIntArray> id = new_integers("id"), group = new_integers("group"),
                               present = new_integers("present"), fixed = new_integers("fixed");
  vtkSmartPointer<vtkDoubleArray> velocity = new_array("velocity", 3, 0),
                                  spin = new_array("spin", 3, 0),
                                  kinetic = new_array("kinetic_energy", 1, 0);

  void add(const Solid& body, int number, const dynamics::State& state, double h) {
    const Vector3d v = state.v.segment<3>(dynamics::v_of(number)),
                   spin_in_space = dynamics::attitude_in(state.q, number) *
                                   Vector3d(state.v.segment<3>(dynamics::v_of(number) + 3));
    id->InsertNextValue(number);
    group->InsertNextValue(body.collider.group);
    present->InsertNextValue(is_born(body, state.time(h), h) ? 1 : 0);
    fixed->InsertNextValue(body.kind == Solid::Kind::fixed ? 1 : 0);
    velocity->InsertNextTuple(v.data());
    spin->InsertNextTuple(spin_in_space.data());
    kinetic->InsertNextValue(kinetic_energy(body, state.v, number));
  }
  void move_to(vtkCellData* data) const {
    for (vtkIntArray* array : {id.Get(), group.Get(), present.Get(), fixed.Get()})
      data->AddArray(array);
    for (vtkDoubleArray* array : {velocity.Get(), spin.Get(), kinetic.Get()}) data->AddArray(array);
  }
};

void add_face(const std::vector<int>& face, vtkIdType first_point, vtkCellArray& polygons) {
  polygons.InsertNextCell(static_cast<int>(face.size()));
  for (const int i : face) polygons.InsertCellPoint(first_point + i);
}

/// What a frame says of contacts.
struct ContactArrays {
  vtkSmartPointer<vtkDoubleArray> normal = new_array("normal", 3, 0),
                                  impulse = new_array("impulse", 3, 0),
                                  force = new_array("force", 3, 0),
                                  impulse_normal = new_array("impulse_normal", 1, 0),
                                  gap = new_array("gap", 1, 0),
                                  work_normal = new_array("work_normal", 1, 0),
                                  work_tangential = new_array("work_tangential", 1, 0);
  vtkSmartPointer<vtkIntArray> status = new_integers("status"), body_A = new_integers("body_A"),
                               body_B = new_integers("body_B");
  vtkNew<vtkTypeUInt64Array> key;

  ContactArrays() { key->SetName("key"); }
  void add(const SolidContact& contact, const dynamics::StepContacts& step, int a, double h) {
    const Vector3d p = step.solution().p.segment<3>(3 * a), u = step.u().segment<3>(3 * a),
                   n = contact.frame.row(0), in_space = contact.frame.transpose() * p,
                   mean_force = in_space / h;
    normal->InsertNextTuple(n.data());
    impulse->InsertNextTuple(in_space.data());
    force->InsertNextTuple(mean_force.data());
    impulse_normal->InsertNextValue(p[0]);
    gap->InsertNextValue(step.gap()[a]);
    work_normal->InsertNextValue(u[0] * p[0]);
    work_tangential->InsertNextValue(u.tail<2>().dot(p.tail<2>()));
    status->InsertNextValue(static_cast<int>(step.solution().status[static_cast<std::size_t>(a)]));
    body_A->InsertNextValue(contact.A);
    body_B->InsertNextValue(contact.B);
    key->InsertNextValue(contact.key);
  }
  void move_to(vtkPointData* data) {
    for (vtkDoubleArray* array : {normal.Get(), impulse.Get(), force.Get(), impulse_normal.Get(),
                                  gap.Get(), work_normal.Get(), work_tangential.Get()})
      data->AddArray(array);
    for (vtkIntArray* array : {status.Get(), body_A.Get(), body_B.Get()}) data->AddArray(array);
    data->AddArray(key);
  }
};

}  // namespace

SolidFrames::SolidFrames(const std::filesystem::path& folder, const SolidsModel& model,
                         const OutputMarks& marks)
    : model_(model),
      surfaces_(surfaces_of(model)),
      frames_(folder, "frames", "vtp"),
      contact_(folder, "contact", "vtp") {
  if (marks.step == 0) return;
  frames_.keep(marks.frames);
  contact_.keep(marks.contact);
}

void SolidFrames::write(const dynamics::SolidsIntegrator& integrator,
                        const dynamics::State& state) {
  const double t = state.time(integrator.h());
  write_bodies(state, integrator.h());
  frames_.add(state.step, t);
  write_contacts(integrator, state);
  contact_.add(state.step, t);
}

void SolidFrames::write_bodies(const dynamics::State& state, double h) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> polygons;
  BodyArrays arrays;
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    const int number = static_cast<int>(i);
    const collision::Pose pose = dynamics::pose_in(state.q, number);
    const vtkIdType first_point = points->GetNumberOfPoints();
    for (const Vector3d& r : surfaces_[i].points) {
      const Vector3d place = pose.x + pose.R * r;
      points->InsertNextPoint(place.data());
    }
    for (const std::vector<int>& face : surfaces_[i].faces) {
      add_face(face, first_point, *polygons);
      arrays.add(model_.solids().bodies[i], number, state, h);
    }
  }
  vtkNew<vtkPolyData> bodies;
  bodies->SetPoints(points);
  bodies->SetPolys(polygons);
  arrays.move_to(bodies->GetCellData());
  bodies->GetFieldData()->AddArray(time_value(state.time(h)));
  write_vtp(bodies, frames_.begin(state.step));
}

/// At the places where the step began, at which the contacts were.
void SolidFrames::write_contacts(const dynamics::SolidsIntegrator& integrator,
                                 const dynamics::State& state) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  ContactArrays arrays;
  for (std::size_t a = 0; a < integrator.contacts().size(); ++a) {
    const SolidContact& contact = integrator.contacts()[a];
    const vtkIdType id = points->InsertNextPoint(contact.point.data());
    vertices->InsertNextCell(1, &id);
    arrays.add(contact, integrator.contact(), static_cast<int>(a), integrator.h());
  }
  vtkNew<vtkPolyData> contacts;
  contacts->SetPoints(points);
  contacts->SetVerts(vertices);
  arrays.move_to(contacts->GetPointData());
  contacts->GetFieldData()->AddArray(time_value(state.time(integrator.h())));
  write_vtp(contacts, contact_.begin(state.step));
}

void SolidFrames::mark(OutputMarks& marks) const {
  marks.frames = frames_.mark();
  marks.contact = contact_.mark();
}

void SolidFrames::sync() {
  frames_.sync();
  contact_.sync();
}

}  // namespace slipwave::app
