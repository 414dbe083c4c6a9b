package dev.pinion.core.language.field;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.ChainReferences;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks the hints to this engine under {@code metadata.pinion}; other metadata is free. */
public final class MetadataHints {
  /** Key of the hints to a call over gRPC. */
  public static final String GRPC = "grpc";

  private static final int MAX_ITERATIONS = 1_000_000;
  private static final String COMPENSATE = "compensate";
  private static final String ITERATIONS = "iterations";
  private static final String XML = "xml";
  private static final List<String> FORMS_OF_XML = List.of("text", "json");

  private final Diagnostics diagnostics;

  /** A reader of the hints in one document. */
  public MetadataHints(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /**
   * Hints of a document to this engine.
   *
   * @param durability the part of its instances that survives a crash, or null when not given
   * @param chains the chains of handlers that it names
   * @param orderingKey makes the ordering key of a start from its input, or null
   * @param schedule hints to the schedule, not checked, or null
   */
  public record Hints(
      @Nullable Durability durability,
      ChainReferences chains,
      @Nullable Expression<Payload> orderingKey,
      @Nullable DocumentValue schedule) {
    static final Hints NONE = new Hints(null, ChainReferences.EMPTY, null, null);
  }

  /**
   * Checks the metadata of a document.
   *
   * @param catalog the chains of handlers that it may name
   * @param expressions compiles expressions
   */
  public Hints ofDocument(
      @Nullable DocumentValue metadata, ChainCatalog catalog, ExpressionFieldCompiler expressions) {
    FieldReader hints =
        hints(
            metadata,
            "metadata.pinion",
            List.of("durability", "handlers", "orderingKey", "schedule"));
    return hints == null
        ? Hints.NONE
        : new Hints(
            durability(hints.text("durability")),
            chains(hints.get("handlers"), catalog),
            orderingKey(hints.text("orderingKey"), expressions),
            hints.get("schedule"));
  }

  /** A text that is the key of every start, or an expression that makes the key from the input. */
  private @Nullable Expression<Payload> orderingKey(
      @Nullable DocumentValue key, ExpressionFieldCompiler expressions) {
    if (key == null) {
      return null;
    }
    if (key.text().isEmpty()) {
      diagnostics.expected(key, "a text or an expression within ${ } as \"orderingKey\"");
      return null;
    }
    return expressions.template(key, VisibleVariables.NONE.named());
  }

  private @Nullable Durability durability(@Nullable DocumentValue durability) {
    if (durability == null) {
      return null;
    }
    Durability level = Durability.of(durability.text()).orElse(null);
    if (level == null) {
      diagnostics.value(
          durability,
          "expected none, async or sync, found " + ValueDescription.describe(durability.json()),
          () -> SpellingSuggestion.of(durability.text(), Durability.labels()));
    }
    return level;
  }

  private ChainReferences chains(@Nullable DocumentValue handlers, ChainCatalog catalog) {
    if (handlers == null) {
      return ChainReferences.EMPTY;
    }
    FieldReader points =
        FieldReader.of(handlers, "metadata.pinion.handlers", ChainReferences.POINTS, diagnostics);
    SortedMap<String, String> named = new TreeMap<>();
    for (String point : ChainReferences.POINTS) {
      DocumentValue name = points.text(point);
      if (name != null) {
        named.put(point, name.text());
        check(point, name, catalog.points());
      }
    }
    return new ChainReferences(named);
  }

  private void check(String point, DocumentValue name, @Nullable Map<String, String> known) {
    String problem = known == null ? null : ChainReferences.problem(point, name.text(), known);
    if (known != null && problem != null) {
      diagnostics.value(
          name, problem, () -> SpellingSuggestion.of(name.text(), fitting(point, known)));
    }
  }

  private static List<String> fitting(String point, Map<String, String> known) {
    List<String> names = new ArrayList<>(List.of(ChainReferences.NONE));
    known.keySet().stream()
        .filter(name -> ChainReferences.problem(point, name, known) == null)
        .sorted()
        .forEach(names::add);
    return names;
  }

  /**
   * Checks the metadata of a task, which may give the expected number of iterations of a loop, what
   * the language lacks for the protocol of a call, and the tasks that compensate it.
   *
   * @param protocol protocol of the call of a service; empty for other tasks
   * @return the tasks that compensate it, unchecked, or null when there are none
   */
  public @Nullable DocumentValue ofTask(@Nullable DocumentValue metadata, String protocol) {
    List<String> keys = keys(protocol);
    FieldReader hints = hints(metadata, "metadata.pinion of a task", keys);
    if (hints == null) {
      return null;
    }
    if (keys.contains(XML)) {
      hints.word(XML, FORMS_OF_XML);
    }
    DocumentValue iterations = hints.get(ITERATIONS);
    if (iterations != null && !isCount(iterations)) {
      diagnostics.expected(
          iterations, "a number from 0 to " + MAX_ITERATIONS + " as \"iterations\"");
    }
    return hints.get(COMPENSATE);
  }

  private static List<String> keys(String protocol) {
    return switch (protocol) {
      case "", "mcp", "a2a" -> List.of(COMPENSATE, ITERATIONS);
      case GRPC -> List.of(COMPENSATE, ITERATIONS, GRPC);
      default -> List.of(COMPENSATE, ITERATIONS, XML);
    };
  }

  /** The hints of a call's metadata under a key, or null when there are none. */
  public static @Nullable DocumentValue ofCall(@Nullable DocumentValue metadata, String key) {
    if (metadata == null) {
      return null;
    }
    String below = "/pinion/" + key;
    DocumentValue found = metadata.descendant(below);
    return found.pointer().equals(metadata.pointer() + below) ? found : null;
  }

  /** Whether the metadata of a call, which were checked, ask for the JSON form of XML. */
  public static boolean parsesXml(@Nullable DocumentValue metadata) {
    return metadata != null && metadata.json().path("pinion").path(XML).asText().equals("json");
  }

  private static boolean isCount(DocumentValue documentValue) {
    double count = documentValue.json().isNumber() ? documentValue.json().asDouble() : -1;
    return count >= 0 && count <= MAX_ITERATIONS;
  }

  private @Nullable FieldReader hints(
      @Nullable DocumentValue metadata, String what, List<String> keys) {
    if (metadata == null) {
      return null;
    }
    if (!metadata.isObject()) {
      diagnostics.expected(metadata, "an object as \"metadata\"");
      return null;
    }
    for (DocumentValue member : metadata.members()) {
      if (member.name().equals("pinion")) {
        return FieldReader.of(member, what, keys, diagnostics);
      }
    }
    return null;
  }
}
