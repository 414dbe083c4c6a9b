package dev.pinion.core.frontend.swf;

import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Nearest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the hints to this engine under {@code metadata.pinion}; other metadata is free. */
final class Metadata {
  private final Diagnostics diagnostics;

  Metadata(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /**
   * Checks the metadata of a document.
   *
   * @return the durability that it asks for, or null when it says nothing
   */
  @Nullable Durability ofDocument(@Nullable Value metadata) {
    Fields hints = hints(metadata, "metadata.pinion", List.of("durability"));
    Value durability = hints == null ? null : hints.text("durability");
    if (durability == null) {
      return null;
    }
    Durability level = Durability.of(durability.text()).orElse(null);
    if (level == null) {
      diagnostics.value(
          durability,
          "expected none, async or sync, found " + Found.describe(durability.json()),
          () -> Nearest.to(durability.text(), Durability.labels()));
    }
    return level;
  }

  /** Checks the metadata of a task. */
  void ofTask(@Nullable Value metadata) {
    hints(metadata, "metadata.pinion of a task", List.of());
  }

  private @Nullable Fields hints(@Nullable Value metadata, String what, List<String> keys) {
    if (metadata == null) {
      return null;
    }
    if (!metadata.isObject()) {
      diagnostics.expected(metadata, "an object as \"metadata\"");
      return null;
    }
    for (Value member : metadata.members()) {
      if (member.name().equals("pinion")) {
        return Fields.of(member, what, keys, diagnostics);
      }
    }
    return null;
  }
}
