package dev.pinion.benchmarks.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;

/** An expression compiled by jackson-jq, the library that the engine's own evaluator replaced. */
final class JacksonJq {
  private final Scope scope = Scope.newEmptyScope();
  private final JsonQuery query;
  private JsonNode last = NullNode.getInstance();

  JacksonJq(String source) throws JsonQueryException {
    BuiltinFunctionLoader.getInstance().loadFunctions(Versions.JQ_1_6, scope);
    query = JsonQuery.compile(source, Versions.JQ_1_6);
  }

  /** The last output for an input. */
  JsonNode evaluate(JsonNode input) throws JsonQueryException {
    query.apply(scope, input, output -> last = output);
    return last;
  }
}
