package dev.pinion.core.language.reference;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The catalogs under {@code use.catalogs} (DSL, "Catalogs"). */
public final class FunctionCatalogs {
  /** The catalog of the engine, unless a definition declares another one of this name. */
  public static final String DEFAULT = "default";

  private static final List<String> KEYS = List.of("endpoint");
  private static final List<String> ENDPOINT_KEYS = List.of("uri", "authentication");

  private final Diagnostics diagnostics;

  /** Root URIs; null where one was reported. */
  private final Map<String, @Nullable String> roots = new LinkedHashMap<>();

  private FunctionCatalogs(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /**
   * The name of a function in a catalog.
   *
   * @param catalog name of the catalog
   */
  public record CatalogedName(String function, String version, String catalog) {
    private static final Pattern FORM =
        Pattern.compile(
            "(?<function>[A-Za-z0-9][A-Za-z0-9._-]*):(?<version>[0-9A-Za-z][0-9A-Za-z.+-]*)"
                + "@(?<catalog>[^@/\\s]+)");

    /** The name in a text such as {@code log:1.0.0@global}, or null. */
    public static @Nullable CatalogedName of(String text) {
      Matcher matcher = FORM.matcher(text);
      return matcher.matches()
          ? new CatalogedName(
              matcher.group("function"), matcher.group("version"), matcher.group("catalog"))
          : null;
    }
  }

  /** Reads {@code use.catalogs}; null stands for none. */
  static FunctionCatalogs of(@Nullable DocumentValue catalogs, Diagnostics diagnostics) {
    FunctionCatalogs declared = new FunctionCatalogs(diagnostics);
    if (catalogs != null) {
      for (DocumentValue catalog : catalogs.members()) {
        declared.roots.put(catalog.name(), declared.root(catalog));
      }
    }
    return declared;
  }

  private @Nullable String root(DocumentValue catalog) {
    DocumentValue endpoint =
        FieldReader.of(catalog, "a catalog", KEYS, diagnostics).required("endpoint");
    DocumentValue uri = endpoint == null ? null : uri(endpoint, diagnostics);
    String root = uri == null ? null : ExternalDocuments.resolveWhole(uri, null, diagnostics);
    return root == null || !root.endsWith("/") ? root : root.substring(0, root.length() - 1);
  }

  /**
   * The URI of an endpoint of documents, or null when there is none that may be fetched, which is
   * reported: a document that needs credentials is not asked for without them.
   */
  static @Nullable DocumentValue uri(DocumentValue endpoint, Diagnostics diagnostics) {
    if (endpoint.isText()) {
      return endpoint;
    }
    if (!endpoint.isObject()) {
      diagnostics.expected(endpoint, "a URI or an object as \"endpoint\"");
      return null;
    }
    FieldReader fieldReader = FieldReader.of(endpoint, "an endpoint", ENDPOINT_KEYS, diagnostics);
    DocumentValue authentication = fieldReader.get("authentication");
    if (authentication != null) {
      diagnostics.notSupportedYet(authentication, "authentication to fetch a document");
    }
    DocumentValue uri = fieldReader.requiredText("uri");
    return authentication == null ? uri : null;
  }

  /** Whether a definition declares a catalog. */
  public boolean has(String name) {
    return roots.containsKey(name);
  }

  /** The URI of a function's document, or null when there is none, which is reported. */
  public @Nullable String uri(CatalogedName name, DocumentValue call, Diagnostics from) {
    if (!roots.containsKey(name.catalog())) {
      List<String> known = new ArrayList<>(roots.keySet());
      known.add(DEFAULT);
      from.value(
          call,
          "expected one of use.catalogs ("
              + KnownNames.listed(roots.keySet())
              + ") or default as the catalog of a function, found "
              + ValueDescription.describe(call.json()),
          () -> {
            String meant = SpellingSuggestion.of(name.catalog(), known);
            return meant == null ? null : name.function() + ":" + name.version() + "@" + meant;
          });
      return null;
    }
    String root = roots.get(name.catalog());
    return root == null
        ? null
        : root + "/functions/" + name.function() + "/" + name.version() + "/function.yaml";
  }
}
