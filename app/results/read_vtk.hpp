#pragma once

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <filesystem>
#include <string>

namespace slipwave::app {

/// Whether the text of a file of VTK's has an end: half of one is read with no more than a message
/// on stderr.
bool is_whole_vtk(const std::string& text);

/// Reads a .vtp. Throws UserError naming the file where it is missing or broken, or has
/// no points.
vtkSmartPointer<vtkPolyData> read_vtp(const std::filesystem::path& file);
/// The same of a .vtu.
vtkSmartPointer<vtkUnstructuredGrid> read_vtu(const std::filesystem::path& file);

}  // namespace slipwave::app
