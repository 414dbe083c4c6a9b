package dev.pinion.workloads.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;

/**
 * Runs a definition by the data flow of the DSL reference, one task after another, with jackson-jq
 * for every expression: small, slow, and independent of the engine's code. Supports the tasks of
 * the workloads; anything else fails.
 */
public final class MiniInterpreter {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Scope BUILTINS = Scope.newEmptyScope();
  private static final String END = "\0end of the block";

  static {
    BuiltinFunctionLoader.getInstance().loadFunctions(Versions.JQ_1_6, BUILTINS);
  }

  private final JsonNode definition;
  private final Service service;

  /** Answers calls. */
  @FunctionalInterface
  public interface Service {
    /** The JSON response to a POST of this JSON. */
    JsonNode call(String endpoint, JsonNode body);
  }

  private record Flow(JsonNode output, String next) {}

  /** An interpreter of one definition. */
  public MiniInterpreter(String yaml, Service service) throws JsonProcessingException {
    this.definition = YAML.readTree(yaml);
    this.service = service;
  }

  /** Runs one instance and returns its output. */
  public JsonNode run(JsonNode input) {
    Map<String, JsonNode> variables = new HashMap<>();
    variables.put("workflow", JSON.createObjectNode().set("input", input));
    JsonNode output = block(definition.get("do"), input, variables);
    return as(definition.path("output"), output, variables);
  }

  private JsonNode block(JsonNode tasks, JsonNode input, Map<String, JsonNode> variables) {
    List<Entry<String, JsonNode>> list = new ArrayList<>();
    tasks.forEach(item -> list.addAll(item.properties()));
    JsonNode value = input;
    int at = 0;
    while (at < list.size()) {
      Flow flow = task(list.get(at).getValue(), value, variables);
      value = flow.output;
      at = flow.next.equals(END) ? at + 1 : indexOf(list, flow.next);
    }
    return value;
  }

  private static int indexOf(List<Entry<String, JsonNode>> tasks, String name) {
    for (int i = 0; i < tasks.size(); i++) {
      if (tasks.get(i).getKey().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("expected a task named " + name + ", found none");
  }

  private Flow task(JsonNode task, JsonNode input, Map<String, JsonNode> outer) {
    Map<String, JsonNode> variables = new HashMap<>(outer);
    variables.put("input", input);
    String next = task.path("then").asText(END);
    JsonNode output;
    if (task.has("switch")) {
      output = input;
      next = chosen(task.get("switch"), input, variables);
    } else {
      output = raw(task, input, variables);
    }
    return new Flow(as(task.path("output"), output, variables), next);
  }

  private JsonNode raw(JsonNode task, JsonNode input, Map<String, JsonNode> variables) {
    if (task.has("set")) {
      return evaluate(task.get("set"), input, variables);
    } else if (task.has("for")) {
      return fold(task, input, variables);
    } else if (task.has("fork")) {
      ArrayNode outputs = JSON.createArrayNode();
      task.get("fork")
          .get("branches")
          .forEach(one -> outputs.add(block(array(one), input, variables)));
      return outputs;
    } else if (task.path("call").asText().equals("http")) {
      return http(task.get("with"), input, variables);
    } else if (task.path("call").asText().equals("parallelForEach:1.0.0@default")) {
      return each(task.get("with"), input, variables);
    }
    throw new IllegalArgumentException("expected a task of the workloads, found " + task);
  }

  private JsonNode http(JsonNode with, JsonNode input, Map<String, JsonNode> variables) {
    if (!with.get("method").asText().equals("post")) {
      throw new IllegalArgumentException("expected method post, found " + with.get("method"));
    }
    return service.call(
        evaluate(with.get("endpoint"), input, variables).asText(),
        evaluate(with.get("body"), input, variables));
  }

  private JsonNode each(JsonNode with, JsonNode input, Map<String, JsonNode> outer) {
    ArrayNode outputs = JSON.createArrayNode();
    for (JsonNode item : evaluate(with.get("in"), input, outer)) {
      Map<String, JsonNode> variables = new HashMap<>(outer);
      variables.put(with.get("each").asText(), item);
      variables.put(with.get("at").asText(), JsonNodeFactory.instance.numberNode(outputs.size()));
      outputs.add(block(with.get("do"), input, variables));
    }
    return outputs;
  }

  private JsonNode fold(JsonNode task, JsonNode input, Map<String, JsonNode> outer) {
    JsonNode loop = task.get("for");
    JsonNode value = input;
    int index = 0;
    for (JsonNode item : evaluate(loop.get("in"), input, outer)) {
      Map<String, JsonNode> variables = new HashMap<>(outer);
      variables.put(loop.path("each").asText("item"), item);
      variables.put(loop.path("at").asText("index"), JsonNodeFactory.instance.numberNode(index++));
      value = block(task.get("do"), value, variables);
    }
    return value;
  }

  private String chosen(JsonNode cases, JsonNode input, Map<String, JsonNode> variables) {
    for (JsonNode one : cases) {
      JsonNode branch = one.iterator().next();
      if (!branch.has("when") || evaluate(branch.get("when"), input, variables).asBoolean()) {
        return branch.get("then").asText();
      }
    }
    return END;
  }

  private static JsonNode as(JsonNode output, JsonNode value, Map<String, JsonNode> variables) {
    return output.has("as") ? evaluate(output.get("as"), value, variables) : value;
  }

  private static JsonNode array(JsonNode one) {
    return JSON.createArrayNode().add(one);
  }

  private static JsonNode evaluate(
      JsonNode template, JsonNode input, Map<String, JsonNode> variables) {
    if (template.isObject()) {
      ObjectNode result = JSON.createObjectNode();
      template
          .properties()
          .forEach(e -> result.set(e.getKey(), evaluate(e.getValue(), input, variables)));
      return result;
    }
    String text = template.asText();
    if (!template.isTextual() || !text.startsWith("${")) {
      return template;
    }
    return jq(text.substring(2, text.length() - 1), input, variables);
  }

  private static JsonNode jq(String query, JsonNode input, Map<String, JsonNode> variables) {
    Scope scope = Scope.newChildScope(BUILTINS);
    variables.forEach(scope::setValue);
    List<JsonNode> results = new ArrayList<>();
    try {
      JsonQuery.compile(query, Versions.JQ_1_6).apply(scope, input, results::add);
    } catch (JsonQueryException wrong) {
      throw new IllegalArgumentException(query, wrong);
    }
    if (results.size() != 1) {
      throw new IllegalArgumentException("expected one result of " + query + ", found " + results);
    }
    return results.getFirst();
  }
}
