package dev.pinion.core.openapi;

import dev.pinion.core.template.parameter.FormField;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads bodies of OpenAPI 2: a parameter in the body, or fields of a form. */
final class FormerBodies {
  private final ApiValue root;

  FormerBodies(ApiValue root) {
    this.root = root;
  }

  /**
   * The body of an operation; null for none.
   *
   * @param declared the declared parameters of the operation
   */
  @Nullable ApiBody body(FoundOperation found, List<ApiValue> declared) {
    List<MediaRange> consumed = types("consumes", found.operation(), root);
    List<MediaRange> types =
        consumed.isEmpty() ? List.of(MediaRange.of(MediaRange.JSON)) : consumed;
    for (ApiValue each : declared) {
      if (each.text("in").equals("body")) {
        String name = each.text("name");
        return new ApiBody(
            name.isEmpty() ? null : name,
            each.flag("required"),
            types.stream().map(type -> content(type, each)).toList());
      }
    }
    return form(found, declared, consumed);
  }

  private static ApiContent content(MediaRange type, ApiValue declared) {
    return new ApiContent(type, declared.member("schema"), null, Map.of(), declared);
  }

  private static @Nullable ApiBody form(
      FoundOperation found, List<ApiValue> declared, List<MediaRange> consumed) {
    Map<String, ApiField> fields = new LinkedHashMap<>();
    boolean hasFiles = false;
    boolean required = false;
    for (ApiValue each : declared) {
      if (each.text("in").equals("formData") && !each.text("name").isEmpty()) {
        boolean isFile = each.text("type").equals("file");
        FormField form = new FormField(isFile, null, ParameterReader.formerField(each));
        fields.put(each.text("name"), new ApiField(each.flag("required"), form));
        hasFiles |= isFile;
        required |= each.flag("required");
      }
    }
    if (fields.isEmpty()) {
      return null;
    }
    List<ApiContent> contents =
        forms(consumed, hasFiles).stream()
            .map(type -> new ApiContent(type, null, null, fields, found.operation()))
            .toList();
    return new ApiBody(null, required, contents);
  }

  /** Files need parts; a form without files is URL-encoded unless the document says otherwise. */
  private static List<MediaRange> forms(List<MediaRange> consumed, boolean hasFiles) {
    List<MediaRange> fitting =
        consumed.stream()
            .filter(type -> type.isMultipartForm() || (type.isForm() && !hasFiles))
            .toList();
    String usual = hasFiles ? MediaRange.MULTIPART_FORM : MediaRange.FORM;
    return fitting.isEmpty() ? List.of(MediaRange.of(usual)) : fitting;
  }

  /** The media types that an operation names, or else the document. */
  static List<MediaRange> types(String member, ApiValue operation, ApiValue root) {
    ApiValue owner = operation.has(member) ? operation : root;
    return owner.items(member).stream()
        .map(each -> MediaRange.of(each.text()))
        .filter(MediaRange::isValid)
        .toList();
  }
}
