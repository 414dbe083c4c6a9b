package dev.pinion.core.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads bodies of OpenAPI 3. */
final class BodyReader {
  private final ApiReferences references;

  BodyReader(ApiReferences references) {
    this.references = references;
  }

  /** The body of an operation; null for none. */
  @Nullable ApiBody body(FoundOperation found) {
    ApiValue declared = found.operation().member("requestBody");
    ApiValue body = declared == null ? null : references.resolve(declared);
    if (body == null) {
      return null;
    }
    List<ApiContent> contents = new ArrayList<>();
    for (ApiValue each : body.members("content")) {
      MediaRange type = MediaRange.of(each.name());
      ApiValue content = references.resolve(each);
      if (content != null && type.isValid()) {
        contents.add(
            new ApiContent(
                type, content.member("schema"), content.member("encoding"), Map.of(), content));
      }
    }
    if (contents.isEmpty()) {
      contents.add(new ApiContent(MediaRange.of("*/*"), null, null, Map.of(), body));
    }
    return new ApiBody(null, body.flag("required"), contents);
  }
}
