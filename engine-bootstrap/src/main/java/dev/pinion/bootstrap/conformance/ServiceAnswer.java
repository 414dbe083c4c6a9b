package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An answer that a scenario gives one of its services.
 *
 * @param status HTTP status
 * @param headers header fields
 * @param body body: a text, any other JSON, a missing node for none
 * @param expression makes the body from the request, or null
 * @param base64 bytes of the body in base 64, instead of the others, or null
 * @param delay time before it is sent
 * @param closes whether the connection is closed without an answer
 */
record ServiceAnswer(
    int status,
    Map<String, String> headers,
    JsonNode body,
    @Nullable Expression<Payload> expression,
    @Nullable String base64,
    Duration delay,
    boolean closes) {
  private static final Set<String> MEMBERS =
      Set.of("status", "headers", "body", "base64", "delay", "close");
  private static final int OK = 200;

  /** An answer with JSON. */
  static ServiceAnswer of(int status, JsonNode body) {
    return new ServiceAnswer(status, Map.of(), body, null, null, Duration.ZERO, false);
  }

  /** An answer with a text of JSON. */
  static ServiceAnswer ofText(String json) {
    return new ServiceAnswer(
        OK,
        Map.of("Content-Type", "application/json"),
        TextNode.valueOf(json),
        null,
        null,
        Duration.ZERO,
        false);
  }

  /** The answers of a text block: one, or an array of several, one after the other. */
  static List<ServiceAnswer> parseAll(JsonNode json) throws ScenarioFailure {
    List<ServiceAnswer> answers = new ArrayList<>();
    if (json.isArray()) {
      for (JsonNode each : json) {
        answers.add(parse(each));
      }
    } else {
      answers.add(parse(json));
    }
    if (answers.isEmpty()) {
      throw ScenarioFailure.expected("at least one answer", "none");
    }
    return List.copyOf(answers);
  }

  private static ServiceAnswer parse(JsonNode json) throws ScenarioFailure {
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw ScenarioFailure.expected("members " + MEMBERS + " of an answer", member.getKey());
      }
    }
    Map<String, String> headers = new LinkedHashMap<>();
    json.path("headers")
        .properties()
        .forEach(each -> headers.put(each.getKey(), each.getValue().asText()));
    JsonNode body = json.has("body") ? json.get("body") : MissingNode.getInstance();
    return new ServiceAnswer(
        json.path("status").asInt(OK),
        headers,
        body,
        expression(body),
        json.path("base64").asText(null),
        delay(json.path("delay").asText("PT0S")),
        json.path("close").asBoolean());
  }

  private static Duration delay(String text) throws ScenarioFailure {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw ScenarioFailure.expected("a duration such as PT0.1S", text);
    }
  }

  private static @Nullable Expression<Payload> expression(JsonNode body) throws ScenarioFailure {
    String text = body.isTextual() ? body.asText().strip() : "";
    if (!text.startsWith("${") || !text.endsWith("}")) {
      return null;
    }
    List<String> problems = new ArrayList<>();
    Expression<Payload> made =
        new ExpressionCompiler(EngineLimits.defaults())
            .compile(
                text.substring(2, text.length() - 1),
                Set.of(),
                problem -> problems.add(problem.message()));
    if (made == null) {
      throw ScenarioFailure.expected("an expression as body of an answer", text + " " + problems);
    }
    return made;
  }

  /** The answer to a request, its body made. */
  ServiceAnswer to(ReceivedRequest request) {
    if (expression == null) {
      return this;
    }
    Budget budget = new Budget(EngineLimits.defaults().expression().maxSteps());
    JsonNode made = expression.evaluate(Payload.of(request.json()), Scope.EMPTY, budget).json();
    return new ServiceAnswer(status, headers, made, null, null, delay, closes);
  }

  /** The body as sent. */
  byte[] content() {
    if (base64 != null) {
      return Base64.getDecoder().decode(base64);
    }
    String text = body.isMissingNode() ? "" : body.isTextual() ? body.asText() : body.toString();
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Its media type, unless a header field says another one. */
  String mediaType() {
    if (base64 != null) {
      return "application/octet-stream";
    }
    return body.isTextual() ? "text/plain; charset=utf-8" : "application/json";
  }
}
