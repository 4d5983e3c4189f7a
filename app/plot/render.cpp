#include "app/plot/render.hpp"

#include "files/base64.hpp"

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>

namespace slipwave::app {

namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;
using Handle = std::unique_ptr<void, decltype(&g_object_unref)>;

Surface owned(cairo_surface_t* surface) { return {surface, &cairo_surface_destroy}; }

void require_success(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(
        fmt::format("the figure cannot be drawn: {}", cairo_status_to_string(status)));
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

std::string png_of(cairo_surface_t* surface) {
  std::string bytes;
  require_success(cairo_surface_write_to_png_stream(surface, append, &bytes));
  return bytes;
}

/// An SVG that was read, with its size in dots.
struct Picture {
  Handle handle;
  double width = 0.0, height = 0.0;

  RsvgHandle* get() const { return static_cast<RsvgHandle*>(handle.get()); }
};

[[noreturn]] void fail(GError* error) {
  const std::string message = error ? error->message : "unknown reason";
  g_clear_error(&error);
  throw std::runtime_error(fmt::format("the figure cannot be drawn: {}", message));
}

Picture read_svg(const std::string& svg, double dpi) {
  GError* error = nullptr;
  GInputStream* stream =
      g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr);
  RsvgHandle* handle = rsvg_handle_new_from_stream_sync(stream, nullptr, RSVG_HANDLE_FLAG_UNLIMITED,
                                                        nullptr, &error);
  g_object_unref(stream);
  if (!handle) fail(error);
  Picture picture{{handle, &g_object_unref}};
  rsvg_handle_set_dpi(handle, dpi);
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &picture.width, &picture.height))
    throw std::runtime_error("the figure cannot be drawn: it has no size");
  return picture;
}

void draw(const Picture& picture, cairo_surface_t* surface) {
  const Context context(cairo_create(surface), &cairo_destroy);
  cairo_set_source_rgb(context.get(), 1.0, 1.0, 1.0);  // a last dot that is not whole is white too
  cairo_paint(context.get());
  const RsvgRectangle all{0.0, 0.0, picture.width, picture.height};
  GError* error = nullptr;
  if (!rsvg_handle_render_document(picture.get(), context.get(), &all, &error)) fail(error);
  require_success(cairo_status(context.get()));
}

void append_number(std::string& bytes, std::uint32_t number) {
  for (const int shift : {24, 16, 8, 0})
    bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
}

/// The chunk of a PNG that says how many dots there are to the metre.
std::string resolution_chunk(double dpi) {
  std::string content = "pHYs";
  const auto per_metre = static_cast<std::uint32_t>(std::lround(dpi / 0.0254));
  append_number(content, per_metre);
  append_number(content, per_metre);
  content += '\1';  // the unit is the metre
  std::string chunk;
  append_number(chunk, static_cast<std::uint32_t>(content.size() - 4));
  chunk += content;
  append_number(chunk,
                static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()),
                                                 static_cast<uInt>(content.size()))));
  return chunk;
}

/// Signature and header of a PNG, which come before all other chunks.
constexpr std::size_t png_head = 8 + 25;

}  // namespace

std::string png_of(const Image& image) {
  const Surface surface =
      owned(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height));
  require_success(cairo_surface_status(surface.get()));
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int row = 0; row < image.height; ++row)
    std::copy_n(image.pixels.data() + std::ptrdiff_t{row} * image.width, image.width,
                reinterpret_cast<std::uint32_t*>(data + std::ptrdiff_t{row} * stride));
  cairo_surface_mark_dirty(surface.get());
  return png_of(surface.get());
}

std::string embedded(const std::string& png, double x, double y, double width, double height) {
  return fmt::format(
      "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
      "preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      x, y, width, height, files::base64(std::as_bytes(std::span(png))));
}

std::string svg_to_png(const std::string& svg, double dpi) {
  const Picture picture = read_svg(svg, dpi);
  const Surface surface = owned(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(picture.width)),
                                 static_cast<int>(std::ceil(picture.height))));
  require_success(cairo_surface_status(surface.get()));
  draw(picture, surface.get());
  return png_of(surface.get()).insert(png_head, resolution_chunk(dpi));
}

std::string svg_to_pdf(const std::string& svg) {
  const Picture picture = read_svg(svg, 72.0);  // so that a dot is a point
  std::string bytes;
  const Surface surface =
      owned(cairo_pdf_surface_create_for_stream(append, &bytes, picture.width, picture.height));
  draw(picture, surface.get());
  cairo_surface_finish(surface.get());
  require_success(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace slipwave::app
