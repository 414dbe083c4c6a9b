package dev.pinion.core.openapi;

import dev.pinion.core.document.ValueDescription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one document by their ids. Items of paths that are elsewhere are looked at only
 * for an id that is not found without them. For one thread.
 */
public final class ApiIndex {
  private static final List<String> METHODS =
      List.of("get", "put", "post", "delete", "options", "head", "patch", "trace", "query");

  private final ApiValue root;
  private final boolean isSecondGeneration;
  private final Map<String, List<FoundOperation>> operations = new LinkedHashMap<>();
  private boolean isWhole;

  private ApiIndex(ApiValue root, boolean isSecondGeneration) {
    this.root = root;
    this.isSecondGeneration = isSecondGeneration;
  }

  /** The operations of a document; null when it is no document of OpenAPI, which is reported. */
  public static @Nullable ApiIndex of(ApiDocument document, ApiProblems problems) {
    ApiValue root = ApiValue.root(document);
    ApiValue version = root.member("openapi");
    ApiValue said = version == null ? root.member("swagger") : version;
    if (said == null) {
      problems.report(
          root,
          "expected a document of OpenAPI, with \"openapi\" or \"swagger\", found "
              + ValueDescription.describe(root.value().json()));
      return null;
    }
    boolean isSecond = version == null;
    if (!isKnown(said.scalar(), isSecond)) {
      problems.report(
          said,
          "expected version "
              + (isSecond ? "2.0" : "3.0, 3.1 or 3.2")
              + " of OpenAPI, found "
              + ValueDescription.describe(said.value().json()));
      return null;
    }
    ApiIndex index = new ApiIndex(root, isSecond);
    index.add(root.members("paths").stream().filter(each -> !ApiReferences.isOne(each)).toList());
    return index;
  }

  /** Whether a version is one of those; authors of YAML leave its quotes out. */
  private static boolean isKnown(String version, boolean isSecondGeneration) {
    return isSecondGeneration ? version.equals("2.0") : version.matches("3\\.[012](\\..*)?");
  }

  private void add(List<ApiValue> items) {
    for (ApiValue item : items) {
      add(item.name(), item);
    }
  }

  private void add(String path, ApiValue item) {
    if (!path.startsWith("/")) {
      return;
    }
    for (String method : METHODS) {
      add(method, path, item, item.member(method));
    }
    for (ApiValue other : item.members("additionalOperations")) {
      add(other.name(), path, item, other);
    }
  }

  private void add(String method, String path, ApiValue item, @Nullable ApiValue operation) {
    String id = operation == null ? "" : operation.text("operationId");
    if (operation != null && !id.isEmpty()) {
      operations
          .computeIfAbsent(id, _ -> new ArrayList<>())
          .add(new FoundOperation(method, path, item, operation));
    }
  }

  /** The operations with an id: one, unless the document is wrong, or there is none. */
  List<FoundOperation> find(String id, ApiReferences references) {
    if (!operations.containsKey(id) && !isWhole) {
      isWhole = true;
      for (ApiValue item : root.members("paths")) {
        ApiValue elsewhere = ApiReferences.isOne(item) ? references.resolve(item) : null;
        if (elsewhere != null) {
          add(item.name(), elsewhere);
        }
      }
    }
    return List.copyOf(operations.getOrDefault(id, List.of()));
  }

  /** The ids that are known so far. */
  public Set<String> ids() {
    return Collections.unmodifiableSet(operations.keySet());
  }

  ApiValue root() {
    return root;
  }

  /** Whether it is a document of OpenAPI 2. */
  boolean isSecondGeneration() {
    return isSecondGeneration;
  }
}
