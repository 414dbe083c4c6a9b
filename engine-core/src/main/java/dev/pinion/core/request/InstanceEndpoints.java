package dev.pinion.core.request;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.OrderingKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.StartKey;
import dev.pinion.core.model.Tags;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.spi.Definitions;
import dev.pinion.core.spi.Looks;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starting, watching, controlling and listing instances. */
final class InstanceEndpoints {
  /** The profiler's name for work on inputs. */
  private static final String INPUT = "(input)";

  private final RequestHandler handler;
  private final Definitions definitions;
  private final InstanceRendering rendering;
  private final Attachments attachments;
  private final StartReader reader;
  private final StartRouting starts;
  private final OwnerRouting owners;
  private final PeerInstances peerInstances;
  private final CallerClass callers;
  private final PastInstances past;

  InstanceEndpoints(RequestHandler handler, EngineLimits limits) {
    this.handler = handler;
    this.definitions = handler.ports().definitions();
    this.rendering = new InstanceRendering(handler.json());
    this.attachments = handler.attachments();
    this.reader = new StartReader(definitions, handler.json(), limits);
    PeerRelay relay = new PeerRelay(handler.ports().peers());
    Neighbourhood neighbourhood = handler.ports().neighbourhood();
    this.starts = new StartRouting(handler, neighbourhood, relay);
    this.owners = new OwnerRouting(neighbourhood, relay);
    handler.lendStartsBy(starts::send);
    this.past = new PastInstances(handler, limits.kernel().keepEndedSeconds());
    this.callers = new CallerClass(handler.ports().bindings());
    this.peerInstances = new PeerInstances(neighbourhood, relay, handler.json());
  }

  static Refusal notFound(String id) {
    return new Refusal(
        ProblemType.NOT_FOUND,
        "expected the id of an instance that is known here, found " + Problem.quoted(id));
  }

  /** The problem of an instance that existed, but is not stored any more. */
  static Refusal forgotten(InstanceId id) {
    return new Refusal(
        Problem.of(
                ProblemType.FORGOTTEN,
                "the instance has ended, and what became of it is no longer kept: its time"
                    + " (kernel.keepEndedSeconds, history.retainDays) is over, or later ones needed"
                    + " the room (kernel.maxEnded, kernel.maxEndedBytes, kernel.maxEndedColdBytes,"
                    + " history.maxOutputBytes, a full disk)")
            .with("id", Payload.of(id.toString())));
  }

  /** The problem of a command that is not possible in the state of the instance. */
  static Refusal inOtherState(String expected, InstanceView view) {
    return new Refusal(
        Problem.of(
                ProblemType.INSTANCE_STATE,
                "expected " + expected + ", found one in state " + view.state())
            .with("state", Payload.of(view.state().name())));
  }

  /** The problem of an instance that is being transferred to another replica. */
  static Refusal moves() {
    return new Refusal(
        Problem.of(
                ProblemType.REPLICA_UNAVAILABLE,
                "expected the instance in this replica, found that it moves to another one; ask"
                    + " again")
            .field("retry-after", "1"));
  }

  /** The problem of a start that was refused before it began. */
  static Problem shuttingDown() {
    return Problem.of(ProblemType.DRAINING, "the engine is shutting down; start elsewhere")
        .field("retry-after", "1");
  }

  /**
   * Refuses requests while a restarted replica does not know all definitions deployed meanwhile.
   */
  private void requireDefinitions() throws Refusal {
    if (!definitions.isComplete()) {
      throw new Refusal(
          Problem.of(
                  ProblemType.REPLICA_UNAVAILABLE,
                  "expected a replica that knows every definition, found one that still reads them;"
                      + " start again")
              .field("retry-after", "1"));
    }
  }

  /** Starts the newest version of a definition. */
  void startLatest(Exchange exchange) throws Refusal {
    requireDefinitions();
    String namespace = exchange.variable(0);
    String name = exchange.variable(1);
    DefinitionInfo latest = definitions.latest(namespace, name);
    DefinitionKey key = latest == null ? null : latest.key();
    String route = namespace + "\n" + name;
    if (attachments.pass(exchange, key)) {
      start(exchange, key, route);
    } else {
      attachments.in(exchange, () -> start(exchange, key, route));
    }
  }

  /** Starts one version of a definition. */
  void startVersion(Exchange exchange) throws Refusal {
    requireDefinitions();
    DefinitionKey key =
        new DefinitionKey(exchange.variable(0), exchange.variable(1), exchange.variable(2));
    DefinitionKey known = definitions.find(key) == null ? null : key;
    String route = key.namespace() + "\n" + key.name() + "\n" + key.version();
    if (attachments.pass(exchange, known)) {
      start(exchange, known, route);
    } else {
      attachments.in(exchange, () -> start(exchange, known, route));
    }
  }

  /**
   * Starts an instance.
   *
   * @param key the definition to start, or null when there is none
   * @param route the route named by the client, the scope of its idempotency key
   */
  private void start(Exchange exchange, @Nullable DefinitionKey key, String route) throws Refusal {
    if (key == null) {
      throw DefinitionEndpoints.notFound(route.replace('\n', '/'));
    }
    String clientKey =
        IdempotencyKey.parse(
            exchange.headers(IdempotencyKey.FIELD), handler.limits().maxKeyChars());
    StartKey startKey =
        clientKey == null ? null : StartKey.of(route, clientKey, exchange.body().nioBuffer());
    OrderingKey order = order(exchange, key);
    if (order != null) {
      startAtOwner(
          exchange,
          key,
          order.partition(),
          startKey == null ? null : startKey.in(order.partition()));
    } else if (startKey != null) {
      startAtOwner(exchange, key, startKey.partition(), startKey);
    } else if (!starts.sendElsewhere(exchange, body -> startHere(exchange, key, body))) {
      startHere(exchange, key, exchange.body());
    }
  }

  private @Nullable OrderingKey order(Exchange exchange, DefinitionKey definition) throws Refusal {
    return reader.mayBeOrdered(exchange.body(), definition)
        ? OrderingKey.of(definition, reader.read(exchange.body(), definition).tags())
        : null;
  }

  /**
   * Starts an instance without queueing: only the owner of the partition of its ordering key or
   * idempotency key may run it.
   */
  private void startAtOwner(
      Exchange exchange, DefinitionKey definition, int partition, @Nullable StartKey key)
      throws Refusal {
    if (sentToOwner(exchange, partition, key)) {
      return;
    }
    if (handler.isDraining()) {
      throw new Refusal(shuttingDown());
    }
    startNow(exchange, definition, exchange.body(), key);
  }

  /**
   * Sends a request to its owner. Only one with a key may be repeated: without it, another instance
   * would run.
   */
  private boolean sentToOwner(Exchange exchange, int partition, @Nullable StartKey key)
      throws Refusal {
    return key == null
        ? owners.sendElsewhereOnce(exchange, partition)
        : owners.sendElsewhere(exchange, partition);
  }

  private void startHere(Exchange exchange, DefinitionKey key, ByteBuf body) throws Refusal {
    if (handler.isDraining()) {
      throw new Refusal(shuttingDown());
    }
    handler.starts().enter(exchange, body, from -> startNow(exchange, key, from, null));
  }

  private void startNow(
      Exchange exchange, DefinitionKey definition, ByteBuf body, @Nullable StartKey key)
      throws Refusal {
    int look = Looks.count();
    boolean faultAsHttp = exchange.query().oneOf("fault", List.of("http")) != null;
    handler.requireHeap(body);
    RequestJson.StartBody start = reader.read(body, definition);
    Tags tags = callers.tagged(exchange, start.tags());
    StartOperation operation =
        new StartOperation(
            exchange, handler, rendering, past, faultAsHttp, handler.limits().defaultWaitMillis());
    operation.offer(
        (replyTo, awaitEnd, join) ->
            new KernelEvent.Start(
                definition,
                partition(definition, key, start),
                start.input(),
                replyTo,
                awaitEnd,
                key,
                join,
                tags));
    Looks.worked(look, Looks.Worker.REQUEST, definition, INPUT, tags.serviceClass());
  }

  private int partition(
      DefinitionKey definition, @Nullable StartKey key, RequestJson.StartBody start) {
    OrderingKey order = OrderingKey.of(definition, start.tags());
    if (order != null) {
      return order.partition();
    }
    return key == null ? handler.ports().kernels().startPartition() : key.partition();
  }

  /** Takes a request about an instance through handlers, which cannot know its definition yet. */
  private void admit(Exchange exchange, Attachments.Next next) throws Refusal {
    if (attachments.pass(exchange, null)) {
      next.proceed();
    } else {
      attachments.in(exchange, next);
    }
  }

  /** Shows an instance. */
  void get(Exchange exchange) throws Refusal {
    admit(exchange, () -> show(exchange));
  }

  private void show(Exchange exchange) throws Refusal {
    Prefer prefer = Prefer.parse(exchange.headers("prefer"));
    int most = handler.limits().maxWaitMillis();
    String applied = prefer.waitSeconds() == Prefer.UNSAID ? "" : prefer.applied(most);
    InstanceOperation.View answer =
        (to, view) -> {
          String etag = InstanceRendering.etag(view);
          if (Conditions.matches(to.headers("if-none-match"), etag)) {
            to.answer(described(Answer.empty(304), etag, applied));
          } else {
            rendering.whole(to, view, whole -> described(whole, etag, applied));
          }
        };
    long patienceMillis = prefer.waitMillis(0, most);
    if (patienceMillis > 0 && !exchange.headers("if-none-match").isEmpty()) {
      watch(exchange, patienceMillis, answer);
    } else {
      look(exchange, patienceMillis, answer);
    }
  }

  private void watch(Exchange exchange, long patienceMillis, InstanceOperation.View view)
      throws Refusal {
    InstanceId id = id(exchange);
    if (!owners.sendElsewhere(exchange, id)) {
      new WatchOperation(exchange, handler, past, id, view).ask(patienceMillis);
    }
  }

  private static Answer described(Answer answer, String etag, String applied) {
    answer.field("etag", etag);
    return applied.isEmpty() ? answer : answer.field("preference-applied", applied);
  }

  /** Shows only the output of an instance. */
  void output(Exchange exchange) throws Refusal {
    admit(exchange, () -> look(exchange, 0, this::showOutput));
  }

  private void showOutput(Exchange exchange, InstanceView view) throws Refusal {
    switch (view.state()) {
      case RUNNING, WAITING, SUSPENDED ->
          rendering.brief(exchange, view, 202, answer -> answer.field("retry-after", "1"));
      case COMPLETED -> showOutputOfCompleted(exchange, view);
      case FAULTED -> throw faulted(view);
      case CANCELLED ->
          throw new Refusal(
              ProblemType.INSTANCE_CANCELLED,
              "expected an instance with an output, found one that was cancelled");
    }
  }

  private void showOutputOfCompleted(Exchange exchange, InstanceView view) throws Refusal {
    String etag = InstanceRendering.etag(view);
    if (Conditions.matches(exchange.headers("if-none-match"), etag)) {
      exchange.answer(Answer.empty(304).field("etag", etag));
      return;
    }
    Payload output = view.output();
    rendering.outputAlone(exchange, view, output == null ? Payload.NULL : output);
  }

  private static Refusal faulted(InstanceView view) {
    Problem problem =
        Problem.of(
            ProblemType.INSTANCE_FAULTED,
            "expected an instance with an output, found one that ended with an error");
    WorkflowError error = view.error();
    return new Refusal(error == null ? problem : problem.with("error", error.toPayload()));
  }

  private void look(Exchange exchange, long patienceMillis, InstanceOperation.View view)
      throws Refusal {
    InstanceId id = id(exchange);
    if (!owners.sendElsewhere(exchange, id)) {
      new InstanceOperation(exchange, handler, past, id, view).ask(patienceMillis);
    }
  }

  /** Cancels an instance. */
  void cancel(Exchange exchange) throws Refusal {
    control(exchange, KernelEvent.Cancel::new, InstanceState.CANCELLED);
  }

  /** Suspends an instance. */
  void suspend(Exchange exchange) throws Refusal {
    control(exchange, KernelEvent.Suspend::new, null);
  }

  /** Resumes an instance. */
  void resume(Exchange exchange) throws Refusal {
    control(exchange, KernelEvent.Resume::new, null);
  }

  /** Lets a faulted instance continue from the task that failed. */
  void retry(Exchange exchange) throws Refusal {
    admit(exchange, () -> retryAdmitted(exchange));
  }

  private void retryAdmitted(Exchange exchange) throws Refusal {
    InstanceId id = id(exchange);
    if (!goesElsewhere(exchange, id, null)) {
      revival(exchange)
          .whereUnknown(
              forgotten -> past.ask(exchange, id, forgotten, InstanceEndpoints::notRetried))
          .offer((replyTo, awaitEnd, join) -> new KernelEvent.Retry(id, replyTo, awaitEnd));
    }
  }

  /** Refuses a retry: the history has the end of the instance, but not the state to resume from. */
  private static void notRetried(Exchange exchange, InstanceView ended) throws Refusal {
    if (ended.state() != InstanceState.FAULTED) {
      throw inOtherState("an instance that has faulted", ended);
    }
    throw new Refusal(
        Problem.of(
                ProblemType.FORGOTTEN,
                "the instance has faulted, and its state from before the failure is no longer kept"
                    + " (kernel.maxEnded, kernel.maxEndedBytes, kernel.maxEndedColdBytes); rerun it"
                    + " instead")
            .with("id", Payload.of(ended.id().toString())));
  }

  /** Starts another instance like one that has ended. */
  void rerun(Exchange exchange) throws Refusal {
    admit(exchange, () -> rerunAdmitted(exchange));
  }

  private void rerunAdmitted(Exchange exchange) throws Refusal {
    InstanceId id = id(exchange);
    String clientKey =
        IdempotencyKey.parse(
            exchange.headers(IdempotencyKey.FIELD), handler.limits().maxKeyChars());
    StartKey key =
        clientKey == null ? null : StartKey.of("rerun\n" + id, clientKey, ByteBuffer.allocate(0));
    if (!goesElsewhere(exchange, id, key)) {
      revival(exchange)
          .whereUnknown(forgotten -> rerunFromHistory(exchange, id, key, forgotten))
          .offer(
              (replyTo, awaitEnd, join) -> new KernelEvent.Rerun(id, replyTo, awaitEnd, key, join));
    }
  }

  /** Starts it in the partition of the earlier instance, where its key was looked up before. */
  private void rerunFromHistory(
      Exchange exchange, InstanceId id, @Nullable StartKey key, boolean forgotten) throws Refusal {
    past.rerun(
        exchange,
        id,
        forgotten,
        (found, input) ->
            revival(exchange)
                .offer(
                    (replyTo, awaitEnd, join) ->
                        new KernelEvent.Start(
                            found.definition(),
                            id.partition(),
                            input,
                            replyTo,
                            awaitEnd,
                            key,
                            join,
                            found.tags())));
  }

  private boolean goesElsewhere(Exchange exchange, InstanceId id, @Nullable StartKey key)
      throws Refusal {
    if (sentToOwner(exchange, id.partition(), key)) {
      return true;
    }
    if (handler.isDraining()) {
      throw new Refusal(shuttingDown());
    }
    return false;
  }

  private StartOperation revival(Exchange exchange) {
    return new StartOperation(exchange, handler, rendering, past, false, 0);
  }

  private void control(Exchange exchange, ControlOperation.Wish wish, @Nullable InstanceState end)
      throws Refusal {
    InstanceId id = id(exchange);
    if (!owners.sendElsewhere(exchange, id)) {
      new ControlOperation(exchange, handler, rendering, past, id, wish, end).ask();
    }
  }

  private static InstanceId id(Exchange exchange) throws Refusal {
    String text = exchange.variable(0);
    return InstanceId.parse(text).orElseThrow(() -> notFound(text));
  }

  /** Lists instances, newest first. */
  void list(Exchange exchange) throws Refusal {
    InstanceFilter filter =
        InstanceFilter.of(exchange.query(), handler.limits().maxListed(), exchange.fromPeer());
    ListOperation.Page page =
        (to, instances, more, missing) -> show(to, filter, instances, more, missing);
    new ListOperation(
            exchange, handler, filter, peerInstances, () -> PeerRelay.copy(exchange), page)
        .ask();
  }

  private void show(
      Exchange exchange,
      InstanceFilter filter,
      List<InstanceView> instances,
      boolean more,
      List<Integer> missing) {
    String next = more ? filter.cursorAfter(instances.getLast().id()) : null;
    ByteBuf body = exchange.scratch();
    rendering.json().writePage(body, instances, next, missing);
    exchange.answer(linked(Answer.of(200, MediaTypes.JSON, body), "/v1/instances", filter, next));
  }

  private static Answer linked(
      Answer answer, String path, InstanceFilter filter, @Nullable String next) {
    return next == null
        ? answer
        : answer.field("link", "<" + path + filter.nextQuery(next) + ">; rel=\"next\"");
  }
}
