package dev.pinion.core.api;

import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Endpoints for operators and probes. */
final class HealthEndpoints {
  private static final byte[] ALIVE = "{\"status\":\"alive\"}".getBytes(StandardCharsets.UTF_8);

  private final RequestContext context;

  HealthEndpoints(RequestContext context) {
    this.context = context;
  }

  /** Answers that the event loop runs. */
  void alive(HttpExchange httpExchange) {
    httpExchange.respond(Response.of(200, MediaTypes.JSON, ALIVE));
  }

  /** Whether a start would be accepted, check by check. */
  void ready(HttpExchange httpExchange) {
    List<Readiness.Check> checks = new ArrayList<>(context.ports().replica().readiness().checks());
    boolean draining = context.isDraining();
    checks.add(
        new Readiness.Check(
            "serving", !draining, true, draining ? "shutting down" : "takes requests"));
    boolean ready = checks.stream().allMatch(each -> each.ready() || !each.required());
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("ready", Payload.of(ready));
    members.put("checks", Payload.array(checks.stream().map(HealthEndpoints::check).toList()));
    byte[] body = context.json().bytes(Payload.object(members));
    Response response = Response.of(ready ? 200 : 503, MediaTypes.JSON, body);
    httpExchange.respond(ready ? response : response.field("retry-after", "1"));
  }

  private static Payload check(Readiness.Check check) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("name", Payload.of(check.name()));
    members.put("ready", Payload.of(check.ready()));
    members.put("required", Payload.of(check.required()));
    members.put("detail", Payload.of(check.detail()));
    return Payload.object(members);
  }
}
