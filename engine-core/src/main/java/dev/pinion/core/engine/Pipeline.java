package dev.pinion.core.engine;

import dev.pinion.core.invoker.ChannelTypes;
import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.InvokerSettings;
import dev.pinion.core.invoker.InvokerTls;
import dev.pinion.core.invoker.NettyServiceCaller;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.ColdStore;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.ValueSpace;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.peer.PeerClient;
import dev.pinion.core.request.ClientConnections;
import dev.pinion.core.request.Handback;
import dev.pinion.core.request.HistoryDesk;
import dev.pinion.core.request.Readiness;
import dev.pinion.core.request.RequestHandler;
import dev.pinion.core.request.RequestPorts;
import dev.pinion.core.stage.Lane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The stages of one engine and the lanes between them, whatever the layout.
 *
 * <pre>
 *   RequestHandler ──requests──▶ Kernel ──invocations──▶ Invoker
 *         ▲                      │   ▲ ▲                    │
 *         └───────replies────────┘   │ └────completions─────┤
 *                          evaluators┘◀─────────────────────┘ (evaluations go the same way)
 * </pre>
 */
final class Pipeline {
  private final EngineSettings settings;
  private final boolean fused;
  private final PayloadCodec codec;
  private final HeapAccount heap;
  private final @Nullable SafeStore safeStore;
  private final Partitions partitions;
  private final List<Lane<AddressedReply>> replies;
  private final List<Lane<Effect.Invocation>> invocations;
  private final List<Kernel> kernels = new ArrayList<>();
  private final List<RequestHandler> requestHandlers = new ArrayList<>();
  private final List<ColdStore> coldStores = new ArrayList<>();
  private final List<Invoker> invokers = new ArrayList<>();
  private final Evaluators evaluators;
  private final ClientConnections clients;

  /**
   * Makes lanes, kernels and evaluators; Invokers and Request Handlers follow when their loops are
   * known.
   *
   * @param evaluatorThreads number of ancillary threads for long expressions
   */
  Pipeline(EngineSettings settings, int evaluatorThreads) throws IOException {
    this.settings = settings;
    EngineLimits limits = settings.limits();
    this.clients = new ClientConnections(limits.request().maxConnections());
    Layout layout = settings.layout();
    this.fused = layout instanceof Layout.Fused;
    this.codec = new PayloadCodec(limits.json());
    this.heap = new HeapAccount(limits.kernel().maxHeldBytes());
    Path directory = settings.safeStore().directory();
    this.partitions = new Partitions(settings.entrance().neighbourhood(), layout.kernels());
    this.safeStore =
        directory == null ? null : new SafeStore(settings, directory, codec, partitions, heap);
    int replyCapacity = RequestHandler.replyCapacity(limits.request(), layout.kernels());
    this.replies = lanes("replies-", layout.requestHandlers(), replyCapacity);
    int callsAndAborts = layout.kernels() * limits.kernel().maxInvocations();
    this.invocations = lanes("invocations-", layout.invokers(), callsAndAborts);
    List<Lane<KernelEvent>> completions = new ArrayList<>();
    this.evaluators =
        new Evaluators(
            evaluatorThreads,
            layout.kernels() * limits.kernel().maxEvaluations(),
            limits.expression().maxSteps(),
            completions,
            settings.threads());
    for (int i = 0; i < layout.kernels(); i++) {
      Kernel kernel = kernel(i);
      kernels.add(kernel);
      completions.add(kernel.completions());
    }
  }

  /**
   * Lets the kernels restore the state of the journal. Call once, before they have loops.
   *
   * @throws IOException when the journal cannot be replayed; the message says what to do
   */
  void recover() throws IOException {
    if (safeStore != null) {
      safeStore.recover(kernels);
    }
  }

  /** The journal and its services, or null when nothing is stored. */
  @Nullable SafeStore safeStore() {
    return safeStore;
  }

  private static <T> List<Lane<T>> lanes(String name, int count, int capacity) {
    return IntStream.range(0, count).mapToObj(i -> new Lane<T>(name + i, capacity)).toList();
  }

  private Kernel kernel(int index) {
    Outlets outlets = new Outlets(fused ? index : -1, invocations, evaluators::offer, replies);
    return new Kernel(
        index,
        safeStore == null ? settings.limits() : safeStore.kernelLimits(),
        settings.graphs(),
        settings.bindings(),
        settings.safeStore().defaultLevel(),
        safeStore == null ? Journal.NONE : safeStore.journal(index),
        settings.observer(),
        outlets,
        new ValueSpace(heap, cold(index)),
        settings.clock().nanoTime());
  }

  private ColdStore cold(int kernel) {
    ColdStore store =
        safeStore == null
            ? new ColdBlocks(ColdSegments.inMemory(settings.limits().kernel().maxColdBytes()))
            : safeStore.cold(kernel);
    coldStores.add(store);
    return store;
  }

  /** Bytes of packed values off the heap. Any thread. */
  long coldBytes() {
    return coldStores.stream().mapToLong(ColdStore::usedBytes).sum();
  }

  /** Account of the heap that instances take. */
  HeapAccount heap() {
    return heap;
  }

  /** Makes the Invoker that is to run on a loop. */
  void addInvoker(StageLoop loop, InvokerTls tls) {
    InvokerCounters counters = new InvokerCounters();
    int index = invokers.size();
    invokers.add(
        new Invoker(
            "invoker-" + index,
            settings.limits().invoker(),
            invocations.get(index),
            caller(loop, tls, counters),
            this::complete,
            counters,
            settings.around(),
            loop,
            codec,
            settings.bindings(),
            settings.clock(),
            heap));
  }

  /** Delivers the outcome of a call to its kernel, counted until the kernel has it. */
  private boolean complete(int kernel, KernelEvent done) {
    if (done instanceof KernelEvent.InvocationDone call
        && call.outcome() instanceof CallOutcome.Answered answered) {
      heap.carry(answered.output());
    }
    return kernels.get(kernel).completions().offer(done);
  }

  /**
   * Performs calls on a loop: each Invoker has one.
   *
   * @param counters counters of the calls
   */
  NettyServiceCaller caller(StageLoop loop, InvokerTls tls, InvokerCounters counters) {
    ChannelTypes channels =
        settings.transport().name().equals("epoll") ? ChannelTypes.epoll() : ChannelTypes.nio();
    InvokerSettings shared =
        new InvokerSettings(
            settings.limits().invoker(),
            codec,
            tls,
            channels,
            "pinion/" + EngineVersion.CURRENT,
            heap::hasRoomForAnswers);
    return new NettyServiceCaller(loop, shared, counters);
  }

  /** Makes the Request Handlers that are to run on loops, one on each. */
  void addRequestHandlers(
      List<StageLoop> loops,
      Executor ancillary,
      Executor historyThreads,
      Readiness readiness,
      Handback handback) {
    HistoryDesk history = new HistoryDesk(settings.history(), historyThreads);
    List<Lane<KernelMessage>> requests = kernels.stream().map(Kernel::requests).toList();
    for (int i = 0; i < loops.size(); i++) {
      KernelRouter router =
          fused
              ? KernelRouter.toHome(partitions, requests, i)
              : KernelRouter.inTurn(partitions, requests, i);
      RequestPorts ports =
          new RequestPorts(
              settings.definitions(),
              settings.bindings(),
              settings.around(),
              router,
              heap,
              ancillary,
              readiness,
              settings.entrance().neighbourhood(),
              settings.entrance().hosts(),
              peers(loops.get(i)),
              handback,
              clients,
              this::requests,
              history,
              settings.broker(),
              settings.events(),
              EngineVersion.CURRENT);
      requestHandlers.add(new RequestHandler(i, settings.limits(), codec, ports, replies.get(i)));
    }
  }

  private PeerClient peers(StageLoop loop) {
    Neighbourhood neighbourhood = settings.entrance().neighbourhood();
    if (!neighbourhood.shared()) {
      return PeerClient.NONE;
    }
    Transport transport = settings.transport();
    return PeerClient.create(
        loop,
        transport.unixSocketChannel(),
        transport.unixAddress(),
        neighbourhood,
        settings.limits().request().maxPeerConnections());
  }

  /** Requests being answered. Any thread. */
  int requests() {
    int requests = 0;
    for (RequestHandler handler : requestHandlers) {
      requests += handler.requests();
    }
    return requests;
  }

  List<Kernel> kernels() {
    return kernels;
  }

  List<Invoker> invokers() {
    return invokers;
  }

  /** The open connections of clients. */
  ClientConnections clients() {
    return clients;
  }

  List<RequestHandler> requestHandlers() {
    return requestHandlers;
  }

  /** The lanes that each Invoker reads, by its index. */
  List<Lane<Effect.Invocation>> invocations() {
    return invocations;
  }

  Evaluators evaluators() {
    return evaluators;
  }
}
