package dev.pinion.broker.service;

import dev.pinion.broker.analyse.Calibration;
import dev.pinion.broker.document.BehaviouralModelJson;
import dev.pinion.broker.document.BrokerJson;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.document.ProblemBuilder;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.monitor.BrokerMonitor;
import dev.pinion.broker.monitor.LivenessMonitor;
import dev.pinion.broker.optimise.AdmissionControl;
import dev.pinion.broker.optimise.MaxRateSolver;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.registry.AuditLogEntry;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.DiskFullDetector;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about services, contracts and plans, one after the other: of two concurrent
 * requests for contracts both are admitted only if both fit. Acknowledged changes are on disk. Any
 * thread; callers wait for each other, and for solvers.
 */
public final class BrokerService {
  /** The collection, known to replicas only, that receives their observations. */
  public static final String OBSERVATIONS = "observations";

  /** Interval between rounds of probes. */
  public static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

  /** Seconds of calls that are stored as one observation. */
  private static final double REMEMBER_SECONDS = 60;

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  /** Number of turns after which a plan that is only the last good one is tried again. */
  private static final int LOOKS_TO_RETRY = 10;

  private final BrokerRepository files;
  private final Registrar registrar;
  private final Planner planner;
  private final ServiceResources services;
  private final BrokerMonitor brokerMonitor;
  private final ControlLoop loop;
  private final Map<String, ResourceCollection> collections;
  private final AuditLog auditLog;
  private PlanInForce settled;
  private volatile List<RegisteredService> callable = List.of();
  private int looks;
  private double rememberedSeconds;

  /** The saved observations, for the next process. */
  private Calibration known;

  private BrokerService(
      BrokerRepository files,
      RegistryReader reader,
      VerifiedSolver solver,
      Clock clock,
      KnowledgeBase knowledgeBase)
      throws IOException {
    this.files = files;
    auditLog = new AuditLog(knowledgeBase);
    ProblemBuilder maker = new ProblemBuilder(ProblemLimits.defaults());
    Optimizer optimizer = new Optimizer(solver);
    known = remembered(files, auditLog, clock);
    LivenessMonitor liveness = new LivenessMonitor(known.down());
    planner = new Planner(maker, optimizer, new PlanPublisher(files, auditLog, liveness::down));
    planner.calibrate(known);
    registrar =
        new Registrar(
            files, planner, new AdmissionControl(optimizer), new MaxRateSolver(solver), clock);
    brokerMonitor = new BrokerMonitor(clock);
    services = new ServiceResources(registrar, reader, brokerMonitor);
    collections =
        Map.of(
            "services", services,
            "classes", new ClassResources(registrar, brokerMonitor),
            "slas", new SlaResources(registrar),
            "model", new ModelResource(registrar));
    rememberedSeconds = brokerMonitor.nowSeconds();
    loop = new ControlLoop(brokerMonitor, liveness, registrar, planner, auditLog, known);
    settled = planner.inForce();
  }

  /**
   * Opens the service and makes the plan of the stored documents.
   *
   * @param reader reads services, and checks their expressions
   * @param knowledgeBase stores plans, decisions and documents
   * @throws IOException when the stored documents cannot be read
   */
  public static BrokerService open(
      BrokerFolder folder,
      RegistryReader reader,
      VerifiedSolver solver,
      Clock clock,
      KnowledgeBase knowledgeBase)
      throws IOException {
    BrokerRepository files = new BrokerRepository(folder, reader, clock, knowledgeBase);
    BrokerService service = new BrokerService(files, reader, solver, clock, knowledgeBase);
    service.replan("start");
    return service;
  }

  /** The plan in force. Never waits. */
  public PlanInForce plan() {
    return planner.inForce();
  }

  /**
   * Handles changes by time and by other processes: to be called about once a second.
   *
   * @throws IOException when the stored documents cannot be read or written; it is tried again
   */
  public synchronized void tick() throws IOException {
    looks++;
    Instant began = registrar.now();
    boolean changed = files.isChangedByOthers();
    boolean ended = registrar.hasEnded(began);
    PlanState state = plan().state();
    boolean better = state != PlanState.LAST_GOOD && state != PlanState.REPAIRED;
    boolean retry = !better && looks % LOOKS_TO_RETRY == 0;
    if (changed || ended) {
      registrar.refresh();
    }
    if (changed || ended || retry || registrar.isOverdue(began)) {
      replan(registrar.hasBegun(began) ? "a contract began" : cause(ended, changed));
    }
    registrar.planWaiting();
    loop.tick();
    remember();
    settledIfChanged(began);
    keepKnown();
  }

  private static String cause(boolean ended, boolean changed) {
    if (ended) {
      return "a contract ended";
    }
    return changed ? "files changed" : "time";
  }

  /**
   * Observations of the previous process. Plans begin with them: made from promises alone, the
   * first one would call dead services, and violate bounds that the table in force keeps.
   */
  private static Calibration remembered(BrokerRepository files, AuditLog auditLog, Clock clock) {
    try {
      return files.calibration();
    } catch (IOException e) {
      String why = "observations of services are lost, promises count: " + e.getMessage();
      Instant now = Instant.ofEpochMilli(clock.epochMillis());
      auditLog.addEntry(new AuditLogEntry(now, "START", "kept", why, 0));
      return Calibration.NONE;
    }
  }

  private void keepKnown() throws IOException {
    Calibration now = planner.calibration();
    if (!now.equals(known)) {
      files.save(now);
      known = now;
    }
  }

  private void remember() {
    double now = brokerMonitor.nowSeconds();
    if (now - rememberedSeconds >= REMEMBER_SECONDS) {
      auditLog.addObservations(brokerMonitor.takeEntries(), registrar.now());
      rememberedSeconds = now;
    }
  }

  /** Asks services whether they are alive. */
  @FunctionalInterface
  public interface Probes {
    /** Whether each of some services is alive, by its id. Waits for all. */
    Map<String, Boolean> round(List<RegisteredService> services);
  }

  /**
   * Determines which of the services that a plan may call are alive: to be called each {@link
   * #PROBE_INTERVAL}. Probes only those without a reported successful call for as long. The table
   * is repaired at once when a service has gone. Waits for probes, never for solvers.
   */
  public void probe(Probes probes) {
    Map<String, Boolean> alive = new HashMap<>();
    List<RegisteredService> silent = new ArrayList<>();
    for (RegisteredService each : callable) {
      if (brokerMonitor.hasAnswered(each.id(), (double) PROBE_INTERVAL.toSeconds())) {
        alive.put(each.id(), true);
      } else {
        silent.add(each);
      }
    }
    alive.putAll(probes.round(silent));
    loop.onProbes(alive);
  }

  /**
   * Handles a change of the deployed definitions. Unless a process is registered it is planned for
   * at once, since it is a fact: bounds that cannot be kept are relaxed, not refused.
   *
   * @param process process of the requests, as far as definitions have one; an empty sequence for
   *     none
   * @param definitions names of the definitions with a process; empty when only earlier versions
   *     have one
   * @throws IOException when it cannot be made durable; nothing has changed then
   */
  public synchronized void onDeployment(ProcessNode process, List<String> definitions)
      throws IOException {
    boolean nothing = process.equals(new ProcessNode.Sequence(List.of()));
    String behaviour = nothing ? "" : BehaviouralModelJson.document(process, definitions);
    if (behaviour.equals(registrar.contracts().behaviour())) {
      return;
    }
    Instant began = registrar.now();
    boolean counts = registrar.onDeployment(behaviour);
    onPlan(began);
    auditLog.addEntry(
        new AuditLogEntry(
            registrar.now(),
            "DEPLOYED " + String.join(", ", definitions),
            counts ? "ok" : "kept",
            counts ? "" : "the registered model has precedence over deployed definitions",
            plan().version()));
  }

  private synchronized void replan(String cause) {
    Instant began = registrar.now();
    registrar.plan(cause);
    onPlan(began);
  }

  private void settledIfChanged(Instant began) {
    if (!planner.inForce().equals(settled)) {
      onPlan(began);
    }
  }

  /** Records a plan, and the services valid before it was made: solutions take time. */
  private void onPlan(Instant began) {
    settled = planner.inForce();
    callable = registrar.validAt(began);
  }

  /** Answers a question; about plans and decisions without waiting for solvers. */
  public BrokerResponse handle(BrokerRequest brokerRequest) {
    return switch (brokerRequest.collection()) {
      case OBSERVATIONS -> takeObservations(brokerRequest);
      case "plan", "plans", "decisions" -> read(brokerRequest);
      default -> handleInOrder(brokerRequest);
    };
  }

  /** Receives observations of replicas without waiting. */
  private BrokerResponse takeObservations(BrokerRequest brokerRequest) {
    try {
      brokerMonitor.take(ObservationJson.batch(brokerRequest.body()));
      return new BrokerResponse(BrokerStatus.OK, "", "", "");
    } catch (IOException e) {
      return BrokerResponse.problem(BrokerStatus.INVALID, String.valueOf(e.getMessage()));
    }
  }

  private synchronized BrokerResponse handleInOrder(BrokerRequest brokerRequest) {
    ResourceCollection resourceCollection = collections.get(brokerRequest.collection());
    if (resourceCollection == null) {
      return replyWith(
          brokerRequest, brokerRequest.collection().equals("behaviour") ? behaviour() : null);
    }
    boolean single = brokerRequest.collection().equals("model");
    if (brokerRequest.verb() == Verb.GET && brokerRequest.id().isEmpty() && !single) {
      return replyWith(BrokerJson.list(resourceCollection.all()));
    }
    if (brokerRequest.verb() == Verb.PUT && !single && !isName(brokerRequest.id())) {
      BrokerResponse misnamed = invalidName(brokerRequest.id());
      audit(brokerRequest, misnamed);
      return misnamed;
    }
    String current = resourceCollection.find(brokerRequest.id());
    BrokerResponse refusal = Preconditions.refusal(brokerRequest, current);
    if (refusal != null) {
      return refusal;
    }
    if (current == null && brokerRequest.verb() != Verb.PUT) {
      return BrokerResponse.problem(
          BrokerStatus.NOT_FOUND,
          "expected one of "
              + brokerRequest.collection()
              + ", found none \""
              + brokerRequest.id()
              + "\"");
    }
    return brokerRequest.verb() == Verb.GET
        ? replyWith(current)
        : change(brokerRequest, resourceCollection, current);
  }

  private static boolean isName(String id) {
    return RegisteredService.NAME.matcher(id).matches();
  }

  /**
   * Refuses an invalid id; preconditions count only for requests that would succeed without them
   * (RFC 9110 section 13.2).
   */
  private static BrokerResponse invalidName(String id) {
    String expected = "expected a name like " + RegisteredService.NAME + " in the path, found ";
    return ChangeOutcome.invalid(List.of(new Diagnostic("", 0, 0, expected + '"' + id + '"', null)))
        .reply();
  }

  private String behaviour() {
    return BehaviouralModelJson.behaviour(
        registrar.contracts(), registrar.registry(), registrar.now(), registrar.contracted());
  }

  private BrokerResponse read(BrokerRequest brokerRequest) {
    return replyWith(
        brokerRequest,
        switch (brokerRequest.collection()) {
          case "plan" -> BrokerJson.plan(plan());
          case "plans" -> BrokerJson.list(auditLog.plans());
          default -> BrokerJson.list(auditLog.decisions());
        });
  }

  private static BrokerResponse replyWith(BrokerRequest brokerRequest, @Nullable String document) {
    if (document == null || brokerRequest.verb() != Verb.GET) {
      return BrokerResponse.problem(
          BrokerStatus.NOT_FOUND, "expected a resource of the broker, found none");
    }
    BrokerResponse refusal = Preconditions.refusal(brokerRequest, document);
    return refusal == null ? replyWith(document) : refusal;
  }

  private static BrokerResponse replyWith(@Nullable String document) {
    String shown = String.valueOf(document);
    return new BrokerResponse(BrokerStatus.OK, Preconditions.etag(shown), "", shown);
  }

  private BrokerResponse change(
      BrokerRequest brokerRequest, ResourceCollection resourceCollection, @Nullable String before) {
    Instant began = registrar.now();
    BrokerResponse brokerResponse;
    try {
      brokerResponse =
          switch (made(brokerRequest, resourceCollection)) {
            case ChangeOutcome.Refused(BrokerResponse refused) -> refused;
            case ChangeOutcome.Done _ -> done(resourceCollection.find(brokerRequest.id()), before);
          };
      onPlan(began);
    } catch (IOException e) {
      BrokerStatus brokerStatus =
          DiskFullDetector.isDiskFull(e) ? BrokerStatus.DISK_FULL : BrokerStatus.UNAVAILABLE;
      brokerResponse =
          BrokerResponse.problem(
              brokerStatus, "expected a disk to write to, found: " + e.getMessage());
    }
    audit(brokerRequest, brokerResponse);
    return brokerResponse;
  }

  private ChangeOutcome made(BrokerRequest brokerRequest, ResourceCollection resourceCollection)
      throws IOException {
    return switch (brokerRequest.verb()) {
      case PUT ->
          resourceCollection.put(
              brokerRequest.id(), brokerRequest.body().getBytes(StandardCharsets.UTF_8));
      case DELETE -> resourceCollection.delete(brokerRequest.id());
      case WITHDRAW -> services.withdraw(brokerRequest.id());
      case GET -> throw new IllegalStateException("expected a change, found " + brokerRequest);
    };
  }

  private static BrokerResponse done(@Nullable String after, @Nullable String before) {
    if (after == null) {
      return new BrokerResponse(BrokerStatus.GONE, "", "", "");
    }
    BrokerStatus brokerStatus = before == null ? BrokerStatus.CREATED : BrokerStatus.OK;
    return new BrokerResponse(brokerStatus, Preconditions.etag(after), "", after);
  }

  /** A printable form of an id: a refused one may contain anything, which some databases reject. */
  private static String printable(String id) {
    return CONTROL.matcher(id).replaceAll("\uFFFD");
  }

  private void audit(BrokerRequest brokerRequest, BrokerResponse brokerResponse) {
    auditLog.addEntry(
        new AuditLogEntry(
            registrar.now(),
            brokerRequest.verb()
                + " "
                + brokerRequest.collection()
                + "/"
                + printable(brokerRequest.id()),
            brokerResponse.outcome().name().toLowerCase(Locale.ROOT),
            brokerResponse.detail(),
            plan().version()));
  }
}
