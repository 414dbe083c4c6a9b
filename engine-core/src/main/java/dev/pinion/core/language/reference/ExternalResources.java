package dev.pinion.core.language.reference;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The external resources that one document names (DSL reference, "External Resource"). */
public final class ExternalResources {
  private static final List<String> KEYS = List.of("name", "endpoint");

  private final ExternalDocuments documents;
  private final @Nullable String base;
  private final Diagnostics diagnostics;

  /**
   * The resources of a document.
   *
   * @param documents all documents
   * @param base URI of the document, or null for a definition
   */
  public ExternalResources(
      ExternalDocuments documents, @Nullable String base, Diagnostics diagnostics) {
    this.documents = documents;
    this.base = base;
    this.diagnostics = diagnostics;
  }

  /** The YAML or JSON of a resource, or null when there is none, which is reported. */
  public @Nullable ExternalDocument document(DocumentValue resource) {
    ResourcePlace place = place(resource);
    return place == null ? null : documents.get(place.uri(), place.value(), diagnostics);
  }

  /**
   * The YAML or JSON of a resource in another language than that of definitions; null when there is
   * none, which is reported.
   */
  public @Nullable ExternalDocument foreign(DocumentValue resource) {
    ResourcePlace place = place(resource);
    return place == null ? null : documents.foreign(place.uri(), place.value(), diagnostics);
  }

  /** The text of a resource, or null when there is none, which is reported. */
  public @Nullable String text(DocumentValue resource) {
    ResourcePlace place = place(resource);
    return place == null ? null : documents.text(place.uri(), place.value(), diagnostics);
  }

  /** The text of a resource with its place, or null when there is none, which is reported. */
  public @Nullable TextResource located(DocumentValue resource) {
    ResourcePlace place = place(resource);
    String text = place == null ? null : documents.text(place.uri(), place.value(), diagnostics);
    return place == null || text == null
        ? null
        : new TextResource(place.uri(), text, place.value());
  }

  /**
   * The text of a document that a resource refers to, or null when there is none, which is reported
   * at the resource.
   *
   * @param uri absolute URI of the document
   */
  public @Nullable String text(TextResource resource, String uri) {
    return documents.text(uri, resource.place(), diagnostics);
  }

  /**
   * A resource as text.
   *
   * @param uri absolute URI
   * @param place the value that names it
   */
  public record TextResource(String uri, String text, DocumentValue place) {}

  /**
   * Where a resource is.
   *
   * @param uri absolute URI
   * @param value the value that says so
   */
  private record ResourcePlace(String uri, DocumentValue value) {}

  private @Nullable ResourcePlace place(DocumentValue resource) {
    FieldReader fieldReader = FieldReader.of(resource, "an external resource", KEYS, diagnostics);
    fieldReader.text("name");
    DocumentValue endpoint = fieldReader.required("endpoint");
    DocumentValue uri = endpoint == null ? null : FunctionCatalogs.uri(endpoint, diagnostics);
    String absolute = uri == null ? null : ExternalDocuments.resolveWhole(uri, base, diagnostics);
    return uri == null || absolute == null ? null : new ResourcePlace(absolute, uri);
  }
}
