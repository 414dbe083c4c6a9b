package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ParameterLocation.QUERY;
import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.api.filter.ScheduleFilter;
import dev.pinion.core.http.Endpoint;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.peer.OwnerRouting;
import dev.pinion.core.peer.PeerListRequests;
import dev.pinion.core.peer.PeerRelay;
import dev.pinion.core.peer.PeerSchedules;
import java.util.List;

/** Showing, listing, pausing and resuming the schedules of definitions. */
final class ScheduleEndpoints {
  private static final String SCHEDULE = RouteList.DEFINITIONS + "/{name}/schedule";

  private final RequestContext context;
  private final OwnerRouting owners;
  private final PeerListRequests replicas;
  private final PeerSchedules peers;

  ScheduleEndpoints(RequestContext context) {
    this.context = context;
    ReplicaGroup replicaGroup = context.ports().peers().group();
    PeerRelay relay = new PeerRelay(context.ports().peers().client());
    this.owners = new OwnerRouting(replicaGroup, relay);
    this.replicas = new PeerListRequests(replicaGroup, relay, context.json());
    this.peers = new PeerSchedules(relay, context.json());
  }

  /** Adds the operations to a table. */
  void addTo(RouteList routes) {
    routes.get(
        "/v1/schedules",
        "listSchedules",
        "Lists schedules by namespace and name.",
        List.of(
            new Route.ParameterSpec(QUERY, "namespace", "Name", "only of this namespace"),
            new Route.ParameterSpec(QUERY, "name", "Name", "only of definitions of this name"),
            new Route.ParameterSpec(QUERY, "paused", "Flag", "true: paused ones; false: others"),
            RouteList.LIMIT,
            RouteList.CURSOR),
        List.of(json(200, "a page of schedules", "SchedulePage")),
        this::list);
    routes.get(
        SCHEDULE,
        "getSchedule",
        "Shows the schedule of the newest enabled version of a definition.",
        List.of(),
        List.of(json(200, "the schedule", "Schedule"), problem(404, "no such schedule")),
        this::get);
    control(
        routes,
        "pause",
        "pauseSchedule",
        "Pauses a schedule: nothing is due until it is resumed. Runs under way continue.",
        this::pause);
    control(
        routes,
        "resumption",
        "resumeSchedule",
        "Resumes a schedule; what was due during the pause is passed over.",
        this::resume);
  }

  private static void control(
      RouteList routes, String noun, String operation, String summary, Endpoint endpoint) {
    routes.add(
        "POST",
        SCHEDULE + "/" + noun,
        operation,
        summary,
        List.of(),
        Route.BodySpec.nothing(),
        List.of(json(200, "done", "Schedule"), problem(404, "no such schedule")),
        endpoint);
  }

  private void list(HttpExchange httpExchange) throws ProblemException {
    ScheduleFilter filter = ScheduleFilter.of(httpExchange.query(), context.limits().maxListed());
    new ScheduleListOperation(httpExchange, context, filter, peers)
        .ask(replicas.others(httpExchange));
  }

  private void get(HttpExchange httpExchange) throws ProblemException {
    DefinitionName name = name(httpExchange);
    if (!owners.sendElsewhere(httpExchange, name.partition())) {
      new ScheduleOperation(httpExchange, context, name).show();
    }
  }

  private void pause(HttpExchange httpExchange) throws ProblemException {
    control(httpExchange, true);
  }

  private void resume(HttpExchange httpExchange) throws ProblemException {
    control(httpExchange, false);
  }

  private void control(HttpExchange httpExchange, boolean pause) throws ProblemException {
    DefinitionName name = name(httpExchange);
    if (!owners.sendElsewhere(httpExchange, name.partition())) {
      new ScheduleOperation(httpExchange, context, name).control(pause);
    }
  }

  private static DefinitionName name(HttpExchange httpExchange) {
    return new DefinitionName(httpExchange.variable(0), httpExchange.variable(1));
  }
}
