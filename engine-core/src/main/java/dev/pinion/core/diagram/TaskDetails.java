package dev.pinion.core.diagram;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What tasks are about, in a few words each. */
final class TaskDetails {
  /** Most characters of a detail. */
  static final int MAX_CHARS = 48;

  /** Members of the arguments of a call that name what is called, the best one first. */
  private static final List<String> CALLED =
      List.of("endpoint", "operationId", "operation", "channel", "service", "method", "agentCard");

  private static final Map<String, String> UNITS =
      Map.of("days", "d", "hours", "h", "minutes", "min", "seconds", "s", "milliseconds", "ms");

  private final List<String> details = new ArrayList<>();

  private TaskDetails() {}

  /** The details of a task. */
  static List<String> of(String kind, JsonNode task) {
    TaskDetails found = new TaskDetails();
    found.add("if ", text(task.path("if")));
    switch (kind) {
      case "call" -> found.call(task);
      case "emit" -> found.add("", text(task.at("/emit/event/with/type")));
      case "for" -> found.loop(task.path("for"), text(task.path("while")));
      case "listen" -> found.listen(task.at("/listen/to"));
      case "raise" -> found.raise(task.at("/raise/error"));
      case "run" -> found.run(task.path("run"));
      case "set" -> found.set(task.path("set"));
      case "wait" -> found.add("", duration(task.path("wait")));
      default -> {}
    }
    found.add("at most ", duration(task.at("/timeout/after")));
    return List.copyOf(found.details);
  }

  /** The details of a catch. */
  static List<String> ofCatch(JsonNode handler) {
    TaskDetails found = new TaskDetails();
    JsonNode wanted = handler.at("/errors/with");
    wanted.properties().forEach(each -> found.add(each.getKey() + " ", text(each.getValue())));
    found.add("when ", text(handler.path("when")));
    found.add("except when ", text(handler.path("exceptWhen")));
    found.retry(handler.path("retry"));
    return List.copyOf(found.details);
  }

  private void add(String prefix, String text) {
    if (!text.isEmpty()) {
      details.add(LabelText.of(prefix + text, MAX_CHARS));
    }
  }

  private void call(JsonNode task) {
    JsonNode with = task.path("with");
    if (ParallelLoops.isOne(task)) {
      loop(with, "");
      int most = with.path("maxConcurrency").asInt();
      add("at most ", most == 0 ? "" : most + " at a time");
      return;
    }
    String method = text(with.path("method"));
    for (String member : CALLED) {
      JsonNode value = with.path(member);
      String named =
          switch (member) {
            case "endpoint", "agentCard" -> address(value);
            case "service" -> text(value.path("name"));
            default -> text(value);
          };
      if (!named.isEmpty()) {
        add(member.equals("method") ? "" : method + (method.isEmpty() ? "" : " "), named);
        return;
      }
    }
  }

  private static String address(JsonNode endpoint) {
    return text(endpoint.isObject() ? endpoint.path("uri") : endpoint);
  }

  private void loop(JsonNode loop, String condition) {
    String each = loop.path("each").asText("item");
    add("each " + each + " in ", loop.path("in").isArray() ? "a list" : text(loop.path("in")));
    add("while ", condition);
  }

  private void listen(JsonNode to) {
    for (String mode : List.of("all", "any", "one")) {
      JsonNode filters = to.path(mode);
      if (!filters.isMissingNode()) {
        List<String> types = new ArrayList<>();
        for (JsonNode filter : filters.isArray() ? filters : List.of(filters)) {
          types.add(text(filter.at("/with/type")));
        }
        types.removeIf(String::isEmpty);
        String named = String.join(", ", types);
        add(mode + (mode.equals("one") ? " " : " of "), named.isEmpty() ? "events" : named);
      }
    }
  }

  private void raise(JsonNode error) {
    if (error.isObject()) {
      add("", text(error.path("status")) + " " + text(error.path("type")));
    } else {
      add("", text(error));
    }
  }

  private void run(JsonNode run) {
    run.properties()
        .forEach(
            each -> {
              JsonNode value = each.getValue();
              switch (each.getKey()) {
                case "container" -> add("container ", text(value.path("image")));
                case "script" -> add("script ", text(value.path("language")));
                case "shell" -> add("shell ", text(value.path("command")));
                case "workflow" ->
                    add(
                        "process ",
                        text(value.path("namespace"))
                            + "/"
                            + text(value.path("name"))
                            + "/"
                            + text(value.path("version")));
                case "await" -> add("", value.asBoolean(true) ? "" : "not awaited");
                default -> {}
              }
            });
  }

  private void set(JsonNode value) {
    if (value.isObject()) {
      List<String> names = new ArrayList<>();
      value.fieldNames().forEachRemaining(names::add);
      add("", String.join(", ", names));
    } else {
      add("", text(value));
    }
  }

  private void retry(JsonNode retry) {
    if (retry.isTextual()) {
      add("retry by ", text(retry));
    } else if (retry.isObject()) {
      JsonNode count = retry.at("/limit/attempt/count");
      JsonNode backoff = retry.path("backoff");
      String growth = backoff.isEmpty() ? "" : ", " + backoff.fieldNames().next();
      add("retry", (count.isNumber() ? " " + count.asText() + " times" : "") + growth + " ");
    }
  }

  /** An ISO 8601 text, the name of a timeout, an expression, or the sum of an object's units. */
  private static String duration(JsonNode value) {
    if (!value.isObject()) {
      return text(value);
    }
    List<String> parts = new ArrayList<>();
    value
        .properties()
        .forEach(
            each ->
                parts.add(
                    text(each.getValue())
                        + " "
                        + UNITS.getOrDefault(each.getKey(), each.getKey())));
    return String.join(" ", parts);
  }

  private static String text(JsonNode value) {
    return value.isValueNode() && !value.isNull() ? value.asText() : "";
  }
}
