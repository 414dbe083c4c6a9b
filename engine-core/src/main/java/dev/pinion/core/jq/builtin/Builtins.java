package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions written in Java, by name and number of arguments. */
public final class Builtins {
  private static final Map<String, BuiltinFactory> BY_SIGNATURE = all();

  private Builtins() {}

  private static Map<String, BuiltinFactory> all() {
    BuiltinRegistry registry = new BuiltinRegistry();
    ControlFlowBuiltins.register(registry);
    PathBuiltins.register(registry);
    CollectionBuiltins.register(registry);
    SortingBuiltins.register(registry);
    StringBuiltins.register(registry);
    NumberBuiltins.register(registry);
    SpecialBuiltins.register(registry);
    TimeBuiltins.register(registry);
    RegexBuiltins.register(registry);
    registry.value("builtins", (_, evaluationContext) -> names(evaluationContext));
    return registry.all();
  }

  public static @Nullable BuiltinFactory find(String name, int arity) {
    return BY_SIGNATURE.get(name + "/" + arity);
  }

  /** All functions as {@code name/arity}. */
  public static Set<String> signatures() {
    return BY_SIGNATURE.keySet();
  }

  /** The functions that programs may call, for {@code builtins}. */
  private static JsonNode names(EvaluationContext evaluationContext) {
    List<JsonNode> names = new ArrayList<>();
    for (String signature : signatures()) {
      if (!signature.startsWith("_")) {
        names.add(TextNode.valueOf(signature));
      }
    }
    Prelude.signatures().forEach(signature -> names.add(TextNode.valueOf(signature)));
    evaluationContext.array(names.size() * 4L);
    return JqValues.array(names);
  }
}
