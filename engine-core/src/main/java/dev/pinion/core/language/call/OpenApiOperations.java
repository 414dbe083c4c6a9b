package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.language.reference.ExternalDocuments;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.openapi.ApiIndex;
import dev.pinion.core.openapi.ApiOperation;
import dev.pinion.core.openapi.ApiReader;
import dev.pinion.core.openapi.FoundOperation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the operations of OpenAPI documents that the tasks of one document call. */
final class OpenApiOperations {
  private final ExternalDocuments documents;
  private final ExternalResources resources;
  private final Diagnostics diagnostics;
  private final Map<String, ApiIndex> indexes = new HashMap<>();

  OpenApiOperations(
      ExternalDocuments documents, ExternalResources resources, Diagnostics diagnostics) {
    this.documents = documents;
    this.resources = resources;
    this.diagnostics = diagnostics;
  }

  /**
   * An operation that a task calls.
   *
   * @param id its id
   * @param documents the documents that describe it
   * @param reader reads what else they say of it
   */
  record CalledOperation(
      String id, ApiOperation operation, OpenApiDocuments documents, ApiReader reader) {}

  /**
   * An operation; null when there is none, which is reported.
   *
   * @param resource where the document is
   * @param id the id of the operation, or null when it is no string, which was reported
   */
  @Nullable CalledOperation find(DocumentValue resource, @Nullable DocumentValue id) {
    ExternalDocument external = resources.foreign(resource);
    if (id == null) {
      return null;
    }
    if (ExpressionFieldCompiler.isEnclosed(id)) {
      diagnostics.value(
          id,
          "expected a fixed operationId, since its document is read at deployment, found "
              + ValueDescription.describe(id.json()));
      return null;
    }
    if (external == null) {
      return null;
    }
    OpenApiDocuments ofCall = new OpenApiDocuments(documents, external, id, diagnostics);
    ApiIndex index = indexes.get(external.uri());
    if (index == null) {
      index = ApiIndex.of(ofCall.first(), ofCall);
    }
    if (index == null) {
      return null;
    }
    indexes.put(external.uri(), index);
    ApiReader reader = new ApiReader(index, ofCall, ofCall);
    FoundOperation found = one(reader.find(id.text()), id, external.uri(), index);
    ApiOperation operation = found == null ? null : reader.read(found);
    return operation == null ? null : new CalledOperation(id.text(), operation, ofCall, reader);
  }

  private @Nullable FoundOperation one(
      List<FoundOperation> found, DocumentValue id, String uri, ApiIndex index) {
    if (found.size() == 1) {
      return found.getFirst();
    }
    if (found.isEmpty()) {
      diagnostics.value(
          id,
          "expected the operationId of an operation of "
              + uri
              + " ("
              + KnownNames.listed(index.ids())
              + "), found "
              + ValueDescription.describe(id.json()),
          () -> SpellingSuggestion.of(id.text(), index.ids()));
    } else {
      diagnostics.value(
          id,
          "expected the operationId of one operation of "
              + uri
              + ", found that of "
              + KnownNames.listed(found.stream().map(FoundOperation::toString).toList()));
    }
    return null;
  }
}
