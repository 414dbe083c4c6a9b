package dev.pinion.core.engine;

import dev.pinion.core.api.RequestHandler;
import dev.pinion.core.api.port.CallerPolicies;
import dev.pinion.core.api.port.ExternalServices;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.api.port.KernelAccess;
import dev.pinion.core.api.port.LocalReplica;
import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.api.port.RequestPorts;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.coldstore.BlockColdStore;
import dev.pinion.core.coldstore.ColdSegments;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.http.ClientAccess;
import dev.pinion.core.http.ClientConnections;
import dev.pinion.core.http.ConnectionReturn;
import dev.pinion.core.invoker.CallDecorators;
import dev.pinion.core.invoker.CallTargets;
import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.authentication.AuthenticatedCaller;
import dev.pinion.core.invoker.authentication.CallCredentials;
import dev.pinion.core.invoker.authentication.SecretProgramCaller;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.invoker.http.NettyServiceCaller;
import dev.pinion.core.invoker.http.ServiceCallerSettings;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.metrics.LabelSlots;
import dev.pinion.core.model.EngineVersion;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.peer.PeerAccess;
import dev.pinion.core.peer.PeerClient;
import dev.pinion.core.program.LocalPrograms;
import dev.pinion.core.program.ProgramSearch;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.Lane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
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
  private final CallCredentials credentials;
  private final HeapAccount heap;
  private final @Nullable SafeStore safeStore;
  private final PartitionTable partitionTable;
  private final List<Lane<AddressedReply>> replies;
  private final List<Lane<Effect.Invocation>> invocations;
  private final List<Kernel> kernels = new ArrayList<>();
  private final List<RequestHandler> requestHandlers = new ArrayList<>();
  private final List<ColdStore> coldStores = new ArrayList<>();
  private final List<Invoker> invokers = new ArrayList<>();
  private final LocalPrograms programs;
  private final EvaluatorPool evaluatorPool;
  private final ClientConnections clients;
  private final LabelSlots definitionNames = new LabelSlots(KernelCounters.MAX_DEFINITIONS);

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
    StageLayout stageLayout = settings.layout();
    this.fused = stageLayout instanceof StageLayout.Fused;
    this.codec = new PayloadCodec(limits.json());
    this.credentials =
        new CallCredentials(
            settings.secrets(), limits, settings.clock(), codec, settings.threads());
    this.heap = new HeapAccount(limits.kernel().maxHeldBytes());
    this.programs =
        new LocalPrograms(
            limits,
            settings.programs(),
            ProgramSearch.of(System.getenv("PATH")),
            settings.threads());
    Path directory = settings.safeStore().directory();
    this.partitionTable =
        new PartitionTable(settings.entrance().replicaGroup(), stageLayout.kernels());
    this.safeStore =
        directory == null ? null : new SafeStore(settings, directory, codec, partitionTable, heap);
    int replyCapacity = limits.request().replyCapacity(stageLayout.kernels());
    this.replies = lanes("replies-", stageLayout.requestHandlers(), replyCapacity);
    int callsAndAborts = stageLayout.kernels() * limits.kernel().maxInvocations();
    this.invocations = lanes("invocations-", stageLayout.invokers(), callsAndAborts);
    List<Lane<Completion>> completions = new ArrayList<>();
    this.evaluatorPool =
        new EvaluatorPool(
            evaluatorThreads,
            stageLayout.kernels() * (limits.kernel().maxEvaluations() + 1), // one is for filters
            limits.expression().maxSteps(),
            completions,
            settings.threads());
    for (int i = 0; i < stageLayout.kernels(); i++) {
      Kernel kernel = kernel(i);
      kernel.counters().shareDefinitions(definitionNames);
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

  /** Lets the kernels receive events. Call once, when they have loops. */
  void feedEvents() {
    List<ExternalEvents.KernelFeed> feeds = new ArrayList<>();
    for (int kernel = 0; kernel < kernels.size(); kernel++) {
      BitSet partitions = new BitSet(ReplicaGroup.PARTITIONS);
      for (int partition = 0; partition < ReplicaGroup.PARTITIONS; partition++) {
        partitions.set(partition, partitionTable.owner(partition) == kernel);
      }
      feeds.add(new ExternalEvents.KernelFeed(kernels.get(kernel).events(), partitions));
    }
    settings.events().feed(feeds);
  }

  /** The journal and its services, or null when nothing is stored. */
  @Nullable SafeStore safeStore() {
    return safeStore;
  }

  private static <T> List<Lane<T>> lanes(String name, int count, int capacity) {
    return IntStream.range(0, count).mapToObj(i -> new Lane<T>(name + i, capacity)).toList();
  }

  private Kernel kernel(int index) {
    KernelOutboundLanes kernelLanes =
        new KernelOutboundLanes(fused ? index : -1, invocations, evaluatorPool::offer, replies);
    return new Kernel(
        index,
        safeStore == null ? settings.limits() : safeStore.kernelLimits(),
        new DefinitionSources(
            settings.graphs(),
            settings.bindings(),
            settings.safeStore().defaultLevel(),
            partition ->
                partitionTable.owner(partition) == index && partitionTable.isLocal(partition)),
        new KernelOutputs(
            safeStore == null ? Journal.NONE : safeStore.journal(index),
            settings.observer(),
            kernelLanes),
        new KernelMemory(heap, cold(index)),
        settings.clock().nanoTime());
  }

  private ColdStore cold(int kernel) {
    ColdStore store =
        safeStore == null
            ? new BlockColdStore(ColdSegments.inMemory(settings.limits().kernel().maxColdBytes()))
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

  /** Programs that tasks run. */
  LocalPrograms programs() {
    return programs;
  }

  /** Makes the Invoker that is to run on a loop. */
  void addInvoker(StageLoop loop, ClientTls tls) {
    InvokerCounters counters = new InvokerCounters();
    ServiceCaller services =
        new AuthenticatedCaller(caller(loop, tls, counters), counters, credentials, loop);
    ProtocolClient.CallingInvoker calling =
        new ProtocolClient.CallingInvoker(
            loop, services, caller -> new SecretProgramCaller(caller, credentials, loop));
    int index = invokers.size();
    invokers.add(
        new Invoker(
            "invoker-" + index,
            settings.limits().invoker(),
            invocations.get(index),
            new CallTargets(
                services,
                new SecretProgramCaller(programs.caller(loop), credentials, loop),
                (call, listener) -> settings.protocols().call(call, calling, listener)),
            this::complete,
            counters,
            CallDecorators.of(
                settings.around(),
                loop,
                codec,
                settings.limits().invoker(),
                settings.bindings(),
                settings.clock(),
                heap,
                settings.events())));
  }

  /** Delivers the outcome of a call to its kernel, counted until the kernel has it. */
  private boolean complete(int kernel, Completion done) {
    if (done instanceof Event.CallCompleted call
        && call.outcome() instanceof CallOutcome.Succeeded succeeded) {
      heap.beginTransfer(succeeded.output());
    }
    return kernels.get(kernel).completions().offer(done);
  }

  /**
   * Performs calls on a loop: each Invoker has one.
   *
   * @param counters counters of the calls
   */
  NettyServiceCaller caller(StageLoop loop, ClientTls tls, InvokerCounters counters) {
    ChannelTypes channels =
        settings.transport().name().equals("epoll") ? ChannelTypes.epoll() : ChannelTypes.nio();
    ServiceCallerSettings shared =
        new ServiceCallerSettings(
            settings.limits().invoker(),
            codec,
            tls,
            channels,
            "pinion/" + EngineVersion.CURRENT,
            heap::hasRoomForResponses);
    return new NettyServiceCaller(loop, shared, counters);
  }

  /** Makes the Request Handlers that are to run on loops, one on each. */
  void addRequestHandlers(
      List<StageLoop> loops,
      Executor ancillary,
      Executor historyThreads,
      Readiness readiness,
      ConnectionReturn connectionReturn) {
    CallerPolicies policies = new CallerPolicies(settings.bindings(), settings.around());
    ClientAccess clientAccess =
        new ClientAccess(settings.entrance().hosts(), clients, connectionReturn);
    ExternalServices services =
        new ExternalServices(
            new HistoryAccess(settings.history(), historyThreads),
            settings.broker(),
            settings.events());
    LocalReplica replica =
        new LocalReplica(ancillary, readiness, EngineVersion.CURRENT, settings.pictures());
    List<Lane<KernelMessage>> requests = kernels.stream().map(Kernel::requests).toList();
    for (int i = 0; i < loops.size(); i++) {
      KernelRouter router =
          fused
              ? KernelRouter.toHome(partitionTable, requests, i)
              : KernelRouter.inTurn(partitionTable, requests, i);
      RequestPorts ports =
          new RequestPorts(
              new KernelAccess(router, heap),
              settings.definitions(),
              policies,
              clientAccess,
              new PeerAccess(
                  settings.entrance().replicaGroup(), peers(loops.get(i)), this::requests),
              services,
              replica);
      requestHandlers.add(new RequestHandler(i, settings.limits(), codec, ports, replies.get(i)));
    }
  }

  private PeerClient peers(StageLoop loop) {
    ReplicaGroup replicaGroup = settings.entrance().replicaGroup();
    if (!replicaGroup.shared()) {
      return PeerClient.NONE;
    }
    Transport transport = settings.transport();
    return PeerClient.create(
        loop,
        transport.unixSocketChannel(),
        transport.unixAddress(),
        replicaGroup,
        settings.limits().request());
  }

  /** What calls authenticate themselves with. */
  CallCredentials credentials() {
    return credentials;
  }

  /** Requests being answered. Any thread. */
  int requests() {
    int requests = 0;
    for (RequestHandler handler : requestHandlers) {
      requests += handler.requests();
    }
    return requests;
  }

  /** Names of the definitions that kernels count. */
  LabelSlots definitionNames() {
    return definitionNames;
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

  EvaluatorPool evaluators() {
    return evaluatorPool;
  }
}
