package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ParameterLocation.QUERY;
import static dev.pinion.core.http.Route.ResponseSpec.empty;
import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.http.Endpoint;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.message.MediaTypes;
import java.util.ArrayList;
import java.util.List;

/** The operations on instances. */
final class InstanceRoutes {
  private static final String GONE = "the instance has ended, and nothing is kept of it any more";

  private final RouteList routes;
  private final int maxBodyBytes;

  /**
   * Operations for a table.
   *
   * @param routes receives them
   * @param maxBodyBytes most bytes of the body of a start
   */
  InstanceRoutes(RouteList routes, int maxBodyBytes) {
    this.routes = routes;
    this.maxBodyBytes = maxBodyBytes;
  }

  /** Starting, showing, controlling and listing instances. */
  void starts(InstanceEndpoints instances) {
    start(
        RouteList.DEFINITIONS + "/{name}/instances",
        "startLatest",
        "newest enabled version",
        instances::start);
    start(RouteList.VERSION + "/instances", "startVersion", "named version", instances::start);
    routes.get(
        "/v1/instances/{id}",
        "getInstance",
        "Shows an instance. Prefer: wait waits until it has ended; with If-None-Match, until it"
            + " differs from the tag.",
        List.of(RouteList.PREFER, RouteList.IF_NONE_MATCH),
        List.of(
            json(200, "the instance", "Instance"),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "no such instance"),
            problem(410, GONE),
            problem(409, "the output cannot be written as JSON")),
        instances::get);
    routes.get(
        "/v1/instances/{id}/output",
        "getOutput",
        "Shows the output of an instance alone.",
        List.of(RouteList.IF_NONE_MATCH),
        List.of(
            json(200, "the output", "Anything"),
            json(202, "the instance has not ended yet; Retry-After says when to ask", "Instance"),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "no such instance"),
            problem(410, GONE),
            problem(409, "the instance ended without an output")),
        instances::output);
    control(
        "cancellation",
        "cancelInstance",
        "Cancels an instance, after its completed tasks are compensated; again when it is"
            + " cancelled already.",
        List.of(
            new Route.ParameterSpec(
                QUERY, "compensate", "Flag", "false: end at once, compensate nothing more")),
        instances::cancel);
    control(
        "suspension",
        "suspendInstance",
        "Suspends an instance: calls and timers under way end, nothing more begins.",
        List.of(),
        instances::suspend);
    control("resumption", "resumeInstance", "Resumes an instance.", List.of(), instances::resume);
    revive(
        "retry",
        "retryInstance",
        "Lets a faulted instance continue from the task that failed.",
        List.of(RouteList.PREFER),
        List.of(
            problem(
                409,
                "the instance has not faulted, or not because of a task that can be done again"),
            problem(410, GONE + ", or not its state from before the failure")),
        instances::retry);
    revive(
        "rerun",
        "rerunInstance",
        "Starts another instance like one that has ended: same definition, input and tags.",
        List.of(RouteList.PREFER, RouteList.KEY),
        List.of(
            problem(
                409,
                "the instance has not ended, or the one that the key stands for is under way, or the"
                    + " definition is disabled"),
            problem(410, GONE + ", or of the one that the key stands for"),
            problem(422, "the key needs a definition that is journalled")),
        instances::rerun);
    routes.get(
        "/v1/instances",
        "listInstances",
        "Lists instances, newest first.",
        List.of(
            new Route.ParameterSpec(QUERY, "state", "State", "only in this state"),
            new Route.ParameterSpec(QUERY, "namespace", "Name", "only of this namespace"),
            new Route.ParameterSpec(
                QUERY, "definition", "Name", "only of definitions of this name"),
            new Route.ParameterSpec(
                QUERY, "version", "Name", "only of definitions of this version"),
            new Route.ParameterSpec(
                QUERY, "parent", "InstanceId", "only instances that a task of this one started"),
            RouteList.LIMIT,
            RouteList.CURSOR),
        List.of(json(200, "a page of instances", "InstancePage")),
        instances::list);
  }

  /** What happened in instances, and those of the past. */
  void history(HistoryEndpoints history) {
    routes.get(
        "/v1/instances/{id}/events",
        "getEvents",
        "Tells what happened in an instance, as far as the history has it.",
        List.of(
            new Route.ParameterSpec(
                QUERY, "after", "Sequence", "only events with a higher sequence"),
            RouteList.LIMIT),
        List.of(
            json(200, "a page of events, in order", "EventPage"),
            problem(404, "the history knows no such instance, and has read all that is on disk"),
            problem(503, "the history cannot be asked now; Retry-After says when to ask again")),
        history::events);
    routes.get(
        "/v1/history/instances",
        "searchInstances",
        "Finds instances of today and of the past, newest first, as far as the history has them.",
        List.of(
            new Route.ParameterSpec(QUERY, "state", "HistoryState", "only in this state"),
            new Route.ParameterSpec(QUERY, "namespace", "Name", "only of this namespace"),
            new Route.ParameterSpec(
                QUERY, "definition", "Name", "only of definitions of this name"),
            new Route.ParameterSpec(QUERY, "businessKey", "Name", "only with this business key"),
            new Route.ParameterSpec(QUERY, "label", "Label", "only with this label, as NAME=VALUE"),
            new Route.ParameterSpec(
                QUERY, "parent", "InstanceId", "only instances that a task of this one started"),
            new Route.ParameterSpec(QUERY, "startedAfter", "Time", "only started then or later"),
            new Route.ParameterSpec(QUERY, "startedBefore", "Time", "only started before then"),
            RouteList.LIMIT,
            RouteList.CURSOR),
        List.of(
            json(200, "a page of instances", "HistoryPage"),
            problem(503, "the history cannot be asked now; Retry-After says when to ask again")),
        history::search);
  }

  private void control(
      String noun,
      String operation,
      String summary,
      List<Route.ParameterSpec> parameters,
      Endpoint endpoint) {
    routes.add(
        "POST",
        "/v1/instances/{id}/" + noun,
        operation,
        summary,
        parameters,
        Route.BodySpec.nothing(),
        List.of(
            json(202, "done", "Instance"),
            problem(404, "no such instance"),
            problem(410, GONE),
            problem(409, "the instance has ended otherwise")),
        endpoint);
  }

  private void revive(
      String noun,
      String operation,
      String summary,
      List<Route.ParameterSpec> parameters,
      List<Route.ResponseSpec> refusals,
      Endpoint endpoint) {
    List<Route.ResponseSpec> responses =
        new ArrayList<>(
            List.of(
                json(
                    200,
                    "the instance has ended; its output or error is in the answer",
                    "Instance"),
                json(202, "the instance is under way; Location names it", "Instance"),
                problem(404, "no such instance")));
    responses.addAll(refusals);
    routes.add(
        "POST",
        "/v1/instances/{id}/" + noun,
        operation,
        summary,
        parameters,
        Route.BodySpec.nothing(),
        responses,
        endpoint);
  }

  private void start(String path, String operation, String which, Endpoint endpoint) {
    routes.add(
        "POST",
        path,
        operation,
        "Starts an instance of the " + which + " of a definition.",
        List.of(
            RouteList.PREFER,
            RouteList.KEY,
            new Route.ParameterSpec(
                QUERY, "fault", "Fault", "http: answer 502 when the instance ends with an error")),
        Route.BodySpec.of(List.of(MediaTypes.JSON), false, "Start", maxBodyBytes),
        List.of(
            json(200, "the instance has ended; its output or error is in the answer", "Instance"),
            json(202, "the instance is under way; Location names it", "Instance"),
            problem(401, "only callers with a contract are served, and the caller is unknown"),
            problem(403, "the caller has no contract, or none of the class in the labels"),
            problem(404, "no such definition"),
            problem(
                409,
                "the instance of the key is under way; Retry-After says when to ask."
                    + " Or the definition is disabled, or the output cannot be written as JSON"),
            problem(410, "the instance of the key ended long ago"),
            problem(
                422, "the key stands for another body, or needs a definition that is journalled"),
            problem(429, "beyond the contracted rate; Retry-After says when to repeat"),
            problem(502, "with fault=http: the instance ended with an error")),
        endpoint);
  }
}
