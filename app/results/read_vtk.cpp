#include "app/results/read_vtk.hpp"

#include "app/messages/user_error.hpp"
#include "files/new_file.hpp"

#include <vtkCommand.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

namespace slipwave::app {

namespace {

/// Notices the errors of the object that it observes, which are then not printed.
class ErrorObserver : public vtkCommand {
 public:
  static ErrorObserver* New() { return new ErrorObserver; }
  void Execute(vtkObject*, unsigned long, void*) override { any = true; }
  bool any = false;
};

/// Reads with one of VTK's readers what must have points.
template <class Reader>
auto read_vtk(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw UserError(file.string() + ": this frame is missing");
  if (!is_whole_vtk(files::text_of(file)))
    throw UserError(file.string() + ": this frame is cut short");
  auto reader = vtkSmartPointer<Reader>::New();
  const auto errors = vtkSmartPointer<ErrorObserver>::New();
  reader->AddObserver(vtkCommand::ErrorEvent, errors);
  reader->SetFileName(file.c_str());
  if (!reader->CanReadFile(file.c_str())) throw UserError(file.string() + ": cannot be read");
  reader->Update();
  if (errors->any || reader->GetErrorCode() != 0)
    throw UserError(file.string() + ": this frame is damaged");
  if (reader->GetOutput()->GetNumberOfPoints() == 0)
    throw UserError(file.string() + ": has no points");
  return vtkSmartPointer(reader->GetOutput());
}

}  // namespace

bool is_whole_vtk(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return end != std::string::npos && text.substr(0, end + 1).ends_with("</VTKFile>");
}

vtkSmartPointer<vtkPolyData> read_vtp(const std::filesystem::path& file) {
  return read_vtk<vtkXMLPolyDataReader>(file);
}

vtkSmartPointer<vtkUnstructuredGrid> read_vtu(const std::filesystem::path& file) {
  return read_vtk<vtkXMLUnstructuredGridReader>(file);
}

}  // namespace slipwave::app
