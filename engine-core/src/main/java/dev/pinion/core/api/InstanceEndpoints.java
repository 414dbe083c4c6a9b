package dev.pinion.core.api;

import dev.pinion.core.api.filter.InstanceFilter;
import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.instance.InstanceRenderer;
import dev.pinion.core.api.instance.InstanceResponses;
import dev.pinion.core.api.instance.ServiceClassAdmission;
import dev.pinion.core.api.instance.StartBody;
import dev.pinion.core.api.instance.StartReader;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.EntityTags;
import dev.pinion.core.http.message.IdempotencyKey;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Prefer;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.OrderingKey;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.peer.OwnerRouting;
import dev.pinion.core.peer.PeerListRequests;
import dev.pinion.core.peer.PeerRelay;
import dev.pinion.core.peer.StartRouting;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.ProfilingHook;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starting, watching, controlling and listing instances. */
final class InstanceEndpoints {
  /** The profiler's name for work on inputs. */
  private static final String INPUT = "(input)";

  private final RequestContext context;
  private final DefinitionCatalog definitionCatalog;
  private final InstanceResponses rendering;
  private final StartReader reader;
  private final StartRouting starts;
  private final OwnerRouting owners;
  private final PeerListRequests peerInstances;
  private final ServiceClassAdmission callers;
  private final HistoryLookup past;

  InstanceEndpoints(RequestContext context, EngineLimits limits) {
    this.context = context;
    this.definitionCatalog = context.ports().definitions();
    this.rendering = new InstanceResponses(context.json());
    this.reader = new StartReader(definitionCatalog, context.json(), limits, context::epochMillis);
    PeerRelay relay = new PeerRelay(context.ports().peers().client());
    ReplicaGroup replicaGroup = context.ports().peers().group();
    this.starts =
        new StartRouting(
            replicaGroup,
            relay,
            context.json(),
            context::isDraining,
            context.ports().peers().load());
    this.owners = new OwnerRouting(replicaGroup, relay);
    context.offloadStartsWith(starts::send);
    this.past = new HistoryLookup(context, limits.kernel().keepEndedSeconds());
    this.callers = new ServiceClassAdmission(context.ports().policies().bindings());
    this.peerInstances = new PeerListRequests(replicaGroup, relay, context.json());
  }

  /**
   * Starts an instance of the definition that the path names. The path's variables are the scope of
   * the idempotency key.
   */
  void start(HttpExchange httpExchange) throws ProblemException {
    List<String> named = httpExchange.variables();
    DefinitionKey key = DefinitionSubject.definition(httpExchange);
    if (key == null) {
      throw DefinitionEndpoints.notFound(String.join("/", named));
    }
    String clientKey =
        IdempotencyKey.parse(
            httpExchange.headers(IdempotencyKey.FIELD), context.limits().maxKeyChars());
    StartKey startKey =
        clientKey == null
            ? null
            : StartKey.of(String.join("\n", named), clientKey, httpExchange.body().nioBuffer());
    OrderingKey order = order(httpExchange, key);
    if (order != null) {
      startAtOwner(
          httpExchange,
          key,
          order.partition(),
          startKey == null ? null : startKey.withPartition(order.partition()));
    } else if (startKey != null) {
      startAtOwner(httpExchange, key, startKey.partition(), startKey);
    } else if (!starts.sendElsewhere(httpExchange, body -> startHere(httpExchange, key, body))) {
      startHere(httpExchange, key, httpExchange.body());
    }
  }

  private @Nullable OrderingKey order(HttpExchange httpExchange, DefinitionKey definition)
      throws ProblemException {
    return reader.mayHaveOrderingKey(httpExchange.body(), definition)
        ? OrderingKey.of(definition, reader.read(httpExchange.body(), definition).tags())
        : null;
  }

  /**
   * Starts an instance without queueing: only the owner of the partition of its ordering key or
   * idempotency key may run it.
   */
  private void startAtOwner(
      HttpExchange httpExchange, DefinitionKey definition, int partition, @Nullable StartKey key)
      throws ProblemException {
    if (sentToOwner(httpExchange, partition, key)) {
      return;
    }
    if (context.isDraining()) {
      throw new ProblemException(Problem.shuttingDown());
    }
    startNow(httpExchange, definition, httpExchange.body(), key);
  }

  /**
   * Sends a request to its owner. Only one with a key may be repeated: without it, another instance
   * would run.
   */
  private boolean sentToOwner(HttpExchange httpExchange, int partition, @Nullable StartKey key)
      throws ProblemException {
    return key == null
        ? owners.sendElsewhereOnce(httpExchange, partition)
        : owners.sendElsewhere(httpExchange, partition);
  }

  private void startHere(HttpExchange httpExchange, DefinitionKey key, ByteBuf body)
      throws ProblemException {
    if (context.isDraining()) {
      throw new ProblemException(Problem.shuttingDown());
    }
    context
        .startQueue()
        .enqueue(httpExchange, body, from -> startNow(httpExchange, key, from, null));
  }

  private void startNow(
      HttpExchange httpExchange, DefinitionKey definition, ByteBuf body, @Nullable StartKey key)
      throws ProblemException {
    int look = ProfilingHook.samples();
    boolean faultAsHttp = httpExchange.query().oneOf("fault", List.of("http")) != null;
    context.requireHeap(body);
    StartBody start = reader.read(body, definition);
    Tags tags = callers.tagged(httpExchange, start.tags());
    StartOperation operation =
        new StartOperation(
            httpExchange,
            context,
            rendering,
            past,
            faultAsHttp,
            reader.isForLater(start) ? 0 : context.limits().defaultWaitMillis(),
            reader.isForLater(start) ? InstanceState.PENDING : InstanceState.RUNNING);
    operation.offer(
        (replyTo, awaitEnd, join) ->
            new Command.Start(
                definition,
                partition(definition, key, start),
                start.input(),
                replyTo,
                awaitEnd,
                key,
                join,
                tags));
    ProfilingHook.record(
        look, ProfilingHook.Component.REQUEST, definition, INPUT, tags.serviceClass());
  }

  private int partition(DefinitionKey definition, @Nullable StartKey key, StartBody start) {
    OrderingKey order = OrderingKey.of(definition, start.tags());
    if (order != null) {
      return order.partition();
    }
    return key == null ? context.kernels().startPartition() : key.partition();
  }

  /** Shows an instance. */
  void get(HttpExchange httpExchange) throws ProblemException {
    Prefer prefer = Prefer.parse(httpExchange.headers("prefer"));
    int most = context.limits().maxWaitMillis();
    String applied = prefer.waitSeconds() == Prefer.UNSAID ? "" : prefer.applied(most);
    InstanceRenderer answer =
        (to, view) -> {
          String etag = InstanceResponses.etag(view);
          if (EntityTags.matches(to.headers("if-none-match"), etag)) {
            to.respond(described(Response.empty(304), etag, applied));
          } else {
            rendering.whole(to, view, whole -> described(whole, etag, applied));
          }
        };
    long patienceMillis = prefer.waitMillis(0, most);
    if (patienceMillis > 0 && !httpExchange.headers("if-none-match").isEmpty()) {
      watch(httpExchange, patienceMillis, answer);
    } else {
      look(httpExchange, patienceMillis, answer);
    }
  }

  private void watch(
      HttpExchange httpExchange, long patienceMillis, InstanceRenderer instanceRenderer)
      throws ProblemException {
    InstanceId id = id(httpExchange);
    if (!owners.sendElsewhere(httpExchange, id)) {
      new WatchOperation(httpExchange, context, past, id, instanceRenderer).ask(patienceMillis);
    }
  }

  private static Response described(Response response, String etag, String applied) {
    response.field("etag", etag);
    return applied.isEmpty() ? response : response.field("preference-applied", applied);
  }

  /** Shows only the output of an instance. */
  void output(HttpExchange httpExchange) throws ProblemException {
    look(httpExchange, 0, this::showOutput);
  }

  private void showOutput(HttpExchange httpExchange, InstanceView view) throws ProblemException {
    switch (view.state()) {
      case PENDING, RUNNING, WAITING, SUSPENDED ->
          rendering.brief(httpExchange, view, 202, response -> response.field("retry-after", "1"));
      case COMPLETED -> showOutputOfCompleted(httpExchange, view);
      case FAULTED -> throw faulted(view);
      case CANCELLED ->
          throw new ProblemException(
              ProblemType.INSTANCE_CANCELLED,
              "expected an instance with an output, found one that was cancelled");
    }
  }

  private void showOutputOfCompleted(HttpExchange httpExchange, InstanceView view)
      throws ProblemException {
    String etag = InstanceResponses.etag(view);
    if (EntityTags.matches(httpExchange.headers("if-none-match"), etag)) {
      httpExchange.respond(Response.empty(304).field("etag", etag));
      return;
    }
    Payload output = view.output();
    rendering.outputAlone(httpExchange, view, output == null ? Payload.NULL : output);
  }

  private static ProblemException faulted(InstanceView view) {
    Problem problem =
        Problem.of(
            ProblemType.INSTANCE_FAULTED,
            "expected an instance with an output, found one that ended with an error");
    WorkflowError error = view.error();
    return new ProblemException(error == null ? problem : problem.with("error", error.toPayload()));
  }

  private void look(
      HttpExchange httpExchange, long patienceMillis, InstanceRenderer instanceRenderer)
      throws ProblemException {
    InstanceId id = id(httpExchange);
    if (!owners.sendElsewhere(httpExchange, id)) {
      new GetOperation(httpExchange, context, past, id, instanceRenderer).ask(patienceMillis);
    }
  }

  /** Cancels an instance, with compensation unless the client says otherwise. */
  void cancel(HttpExchange httpExchange) throws ProblemException {
    String compensate = httpExchange.query().oneOf("compensate", List.of("true", "false"));
    boolean compensates = !"false".equals(compensate);
    control(
        httpExchange,
        (id, replyTo) -> new Command.Cancel(id, replyTo, compensates),
        InstanceState.CANCELLED);
  }

  /** Suspends an instance. */
  void suspend(HttpExchange httpExchange) throws ProblemException {
    control(httpExchange, Command.Suspend::new, null);
  }

  /** Resumes an instance. */
  void resume(HttpExchange httpExchange) throws ProblemException {
    control(httpExchange, Command.Resume::new, null);
  }

  /** Lets a faulted instance continue from the task that failed. */
  void retry(HttpExchange httpExchange) throws ProblemException {
    InstanceId id = id(httpExchange);
    if (!goesElsewhere(httpExchange, id, null)) {
      revival(httpExchange)
          .whenUnknown(
              forgotten -> past.ask(httpExchange, id, forgotten, InstanceEndpoints::notRetried))
          .offer((replyTo, awaitEnd, join) -> new Command.Retry(id, replyTo, awaitEnd));
    }
  }

  /** Refuses a retry: the history has the end of the instance, but not the state to resume from. */
  private static void notRetried(HttpExchange httpExchange, InstanceView ended)
      throws ProblemException {
    if (ended.state() != InstanceState.FAULTED) {
      throw InstanceProblems.inOtherState("an instance that has faulted", ended);
    }
    throw new ProblemException(
        Problem.of(
                ProblemType.FORGOTTEN,
                "the instance has faulted, and its state from before the failure is no longer kept"
                    + " (kernel.maxEnded, kernel.maxEndedBytes, kernel.maxEndedColdBytes); rerun it"
                    + " instead")
            .with("id", Payload.of(ended.id().toString())));
  }

  /** Starts another instance like one that has ended. */
  void rerun(HttpExchange httpExchange) throws ProblemException {
    InstanceId id = id(httpExchange);
    String clientKey =
        IdempotencyKey.parse(
            httpExchange.headers(IdempotencyKey.FIELD), context.limits().maxKeyChars());
    StartKey key =
        clientKey == null ? null : StartKey.of("rerun\n" + id, clientKey, ByteBuffer.allocate(0));
    if (!goesElsewhere(httpExchange, id, key)) {
      revival(httpExchange)
          .whenUnknown(forgotten -> rerunFromHistory(httpExchange, id, key, forgotten))
          .offer((replyTo, awaitEnd, join) -> new Command.Rerun(id, replyTo, awaitEnd, key, join));
    }
  }

  /** Starts it in the partition of the earlier instance, where its key was looked up before. */
  private void rerunFromHistory(
      HttpExchange httpExchange, InstanceId id, @Nullable StartKey key, boolean forgotten)
      throws ProblemException {
    past.rerun(
        httpExchange,
        id,
        forgotten,
        (found, input) ->
            revival(httpExchange)
                .offer(
                    (replyTo, awaitEnd, join) ->
                        new Command.Start(
                            found.definition(),
                            id.partition(),
                            input,
                            replyTo,
                            awaitEnd,
                            key,
                            join,
                            found.tags().without(Tags.START_AT))));
  }

  private boolean goesElsewhere(HttpExchange httpExchange, InstanceId id, @Nullable StartKey key)
      throws ProblemException {
    if (sentToOwner(httpExchange, id.partition(), key)) {
      return true;
    }
    if (context.isDraining()) {
      throw new ProblemException(Problem.shuttingDown());
    }
    return false;
  }

  private StartOperation revival(HttpExchange httpExchange) {
    return new StartOperation(
        httpExchange, context, rendering, past, false, 0, InstanceState.RUNNING);
  }

  private void control(
      HttpExchange httpExchange,
      ControlOperation.ControlCommand controlCommand,
      @Nullable InstanceState end)
      throws ProblemException {
    InstanceId id = id(httpExchange);
    if (!owners.sendElsewhere(httpExchange, id)) {
      new ControlOperation(httpExchange, context, rendering, past, id, controlCommand, end).send();
    }
  }

  private static InstanceId id(HttpExchange httpExchange) throws ProblemException {
    String text = httpExchange.variable(0);
    return InstanceId.parse(text).orElseThrow(() -> InstanceProblems.notFound(text));
  }

  /** Lists instances, newest first. */
  void list(HttpExchange httpExchange) throws ProblemException {
    InstanceFilter filter =
        InstanceFilter.of(
            httpExchange.query(), context.limits().maxListed(), httpExchange.fromPeer());
    ListOperation.PageRenderer pageRenderer =
        (to, instances, more, missing) -> show(to, filter, instances, more, missing);
    new ListOperation(
            httpExchange,
            context,
            filter,
            peerInstances,
            () -> PeerRelay.copy(httpExchange),
            pageRenderer)
        .ask();
  }

  private void show(
      HttpExchange httpExchange,
      InstanceFilter filter,
      List<InstanceView> instances,
      boolean more,
      List<Integer> missing) {
    String next = more ? filter.cursorAfter(instances.getLast().id()) : null;
    ByteBuf body = httpExchange.scratch();
    rendering.json().writePage(body, instances, next, missing);
    httpExchange.respond(
        linked(Response.of(200, MediaTypes.JSON, body), "/v1/instances", filter, next));
  }

  private static Response linked(
      Response response, String path, InstanceFilter filter, @Nullable String next) {
    return next == null
        ? response
        : response.field("link", "<" + path + filter.nextQuery(next) + ">; rel=\"next\"");
  }
}
