package dev.pinion.broker.front;

import dev.pinion.broker.adapt.Calibration;
import dev.pinion.broker.admission.Admission;
import dev.pinion.broker.contract.DeskEntry;
import dev.pinion.broker.contract.PlanInForce;
import dev.pinion.broker.contract.PlanState;
import dev.pinion.broker.document.BehaviourJson;
import dev.pinion.broker.document.FrontJson;
import dev.pinion.broker.document.ObservationJson;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemMaker;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.knowledge.Knowledge;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.monitor.LivenessMonitor;
import dev.pinion.broker.monitor.Monitors;
import dev.pinion.broker.optimise.MaxRate;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.DiskFull;
import dev.pinion.core.spi.BrokerFront.Outcome;
import dev.pinion.core.spi.BrokerFront.Question;
import dev.pinion.core.spi.BrokerFront.Reply;
import dev.pinion.core.spi.BrokerFront.Verb;
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
public final class FrontDesk {
  /** The collection, known to replicas only, that receives their observations. */
  public static final String OBSERVATIONS = "observations";

  /** Interval between rounds of probes. */
  public static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

  /** Seconds of calls that are stored as one observation. */
  private static final double REMEMBER_SECONDS = 60;

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  /** Number of turns after which a plan that is only the last good one is tried again. */
  private static final int LOOKS_TO_RETRY = 10;

  private final KnowledgeFiles files;
  private final Office office;
  private final Planner planner;
  private final ServiceResources services;
  private final Monitors monitors;
  private final ControlLoop loop;
  private final Map<String, Resources> collections;
  private final Chronicle chronicle;
  private PlanInForce settled;
  private volatile List<RegisteredService> callable = List.of();
  private int looks;
  private double rememberedSeconds;

  /** The saved observations, for the next process. */
  private Calibration known;

  private FrontDesk(
      KnowledgeFiles files,
      RegistryReader reader,
      VerifiedSolver solver,
      Clock clock,
      Knowledge knowledge)
      throws IOException {
    this.files = files;
    chronicle = new Chronicle(knowledge);
    ProblemMaker maker = new ProblemMaker(ProblemLimits.defaults());
    Optimizer optimizer = new Optimizer(solver);
    known = remembered(files, chronicle, clock);
    LivenessMonitor liveness = new LivenessMonitor(known.down());
    planner = new Planner(maker, optimizer, new PlanPublisher(files, chronicle, liveness::down));
    planner.calibrate(known);
    office = new Office(files, planner, new Admission(optimizer), new MaxRate(solver), clock);
    monitors = new Monitors(clock);
    services = new ServiceResources(office, reader, monitors);
    collections =
        Map.of(
            "services", services,
            "classes", new ClassResources(office, monitors),
            "slas", new SlaResources(office),
            "model", new ModelResource(office));
    rememberedSeconds = monitors.nowSeconds();
    loop = new ControlLoop(monitors, liveness, office, planner, chronicle, known);
    settled = planner.inForce();
  }

  /**
   * Opens the service and makes the plan of the stored documents.
   *
   * @param reader reads services, and checks their expressions
   * @param knowledge stores plans, decisions and documents
   * @throws IOException when the stored documents cannot be read
   */
  public static FrontDesk open(
      BrokerFolder folder,
      RegistryReader reader,
      VerifiedSolver solver,
      Clock clock,
      Knowledge knowledge)
      throws IOException {
    KnowledgeFiles files = new KnowledgeFiles(folder, reader, clock, knowledge);
    FrontDesk desk = new FrontDesk(files, reader, solver, clock, knowledge);
    desk.replan("start");
    return desk;
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
  public synchronized void look() throws IOException {
    looks++;
    Instant began = office.now();
    boolean changed = files.isChangedByOthers();
    boolean ended = office.hasEnded(began);
    PlanState state = plan().state();
    boolean better = state != PlanState.LAST_GOOD && state != PlanState.REPAIRED;
    boolean retry = !better && looks % LOOKS_TO_RETRY == 0;
    if (changed || ended) {
      office.refresh();
    }
    if (changed || ended || retry || office.isOverdue(began)) {
      replan(office.hasBegun(began) ? "a contract began" : cause(ended, changed));
    }
    office.planWaiting();
    loop.look();
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
  private static Calibration remembered(KnowledgeFiles files, Chronicle chronicle, Clock clock) {
    try {
      return files.calibration();
    } catch (IOException e) {
      String why = "observations of services are lost, promises count: " + e.getMessage();
      Instant now = Instant.ofEpochMilli(clock.epochMillis());
      chronicle.decided(new DeskEntry(now, "START", "kept", why, 0));
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
    double now = monitors.nowSeconds();
    if (now - rememberedSeconds >= REMEMBER_SECONDS) {
      chronicle.observed(monitors.takeEntries(), office.now());
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
      if (monitors.hasAnswered(each.id(), (double) PROBE_INTERVAL.toSeconds())) {
        alive.put(each.id(), true);
      } else {
        silent.add(each);
      }
    }
    alive.putAll(probes.round(silent));
    loop.probed(alive);
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
  public synchronized void deployed(ProcessNode process, List<String> definitions)
      throws IOException {
    boolean nothing = process.equals(new ProcessNode.Sequence(List.of()));
    String behaviour = nothing ? "" : BehaviourJson.document(process, definitions);
    if (behaviour.equals(office.contracts().behaviour())) {
      return;
    }
    Instant began = office.now();
    boolean counts = office.deployed(behaviour);
    settled(began);
    chronicle.decided(
        new DeskEntry(
            office.now(),
            "DEPLOYED " + String.join(", ", definitions),
            counts ? "ok" : "kept",
            counts ? "" : "the registered model has precedence over deployed definitions",
            plan().version()));
  }

  private synchronized void replan(String cause) {
    Instant began = office.now();
    office.plan(cause);
    settled(began);
  }

  private void settledIfChanged(Instant began) {
    if (!planner.inForce().equals(settled)) {
      settled(began);
    }
  }

  /** Records a plan, and the services valid before it was made: solutions take time. */
  private void settled(Instant began) {
    settled = planner.inForce();
    callable = office.validAt(began);
  }

  /** Answers a question; about plans and decisions without waiting for solvers. */
  public Reply ask(Question question) {
    return switch (question.collection()) {
      case OBSERVATIONS -> taken(question);
      case "plan", "plans", "decisions" -> told(question);
      default -> answered(question);
    };
  }

  /** Receives observations of replicas without waiting. */
  private Reply taken(Question question) {
    try {
      monitors.take(ObservationJson.batch(question.body()));
      return new Reply(Outcome.OK, "", "", "");
    } catch (IOException e) {
      return Reply.problem(Outcome.INVALID, String.valueOf(e.getMessage()));
    }
  }

  private synchronized Reply answered(Question question) {
    Resources resources = collections.get(question.collection());
    if (resources == null) {
      return shown(question, question.collection().equals("behaviour") ? behaviour() : null);
    }
    boolean single = question.collection().equals("model");
    if (question.verb() == Verb.GET && question.id().isEmpty() && !single) {
      return shown(FrontJson.list(resources.all()));
    }
    if (question.verb() == Verb.PUT && !single && !isName(question.id())) {
      Reply misnamed = misnamed(question.id());
      note(question, misnamed);
      return misnamed;
    }
    String current = resources.find(question.id());
    Reply refusal = Preconditions.refusal(question, current);
    if (refusal != null) {
      return refusal;
    }
    if (current == null && question.verb() != Verb.PUT) {
      return Reply.problem(
          Outcome.NOT_FOUND,
          "expected one of " + question.collection() + ", found none \"" + question.id() + "\"");
    }
    return question.verb() == Verb.GET ? shown(current) : change(question, resources, current);
  }

  private static boolean isName(String id) {
    return RegisteredService.NAME.matcher(id).matches();
  }

  /**
   * Refuses an invalid id; preconditions count only for requests that would succeed without them
   * (RFC 9110 section 13.2).
   */
  private static Reply misnamed(String id) {
    String expected = "expected a name like " + RegisteredService.NAME + " in the path, found ";
    return Verdict.invalid(List.of(new Diagnostic("", 0, 0, expected + '"' + id + '"', null)))
        .reply();
  }

  private String behaviour() {
    return BehaviourJson.behaviour(
        office.contracts(), office.registry(), office.now(), office.contracted());
  }

  private Reply told(Question question) {
    return shown(
        question,
        switch (question.collection()) {
          case "plan" -> FrontJson.plan(plan());
          case "plans" -> FrontJson.list(chronicle.plans());
          default -> FrontJson.list(chronicle.decisions());
        });
  }

  private static Reply shown(Question question, @Nullable String document) {
    if (document == null || question.verb() != Verb.GET) {
      return Reply.problem(Outcome.NOT_FOUND, "expected a resource of the broker, found none");
    }
    Reply refusal = Preconditions.refusal(question, document);
    return refusal == null ? shown(document) : refusal;
  }

  private static Reply shown(@Nullable String document) {
    String shown = String.valueOf(document);
    return new Reply(Outcome.OK, Preconditions.etag(shown), "", shown);
  }

  private Reply change(Question question, Resources resources, @Nullable String before) {
    Instant began = office.now();
    Reply reply;
    try {
      reply =
          switch (made(question, resources)) {
            case Verdict.Refused(Reply refused) -> refused;
            case Verdict.Done _ -> done(resources.find(question.id()), before);
          };
      settled(began);
    } catch (IOException e) {
      Outcome outcome = DiskFull.caused(e) ? Outcome.DISK_FULL : Outcome.UNAVAILABLE;
      reply = Reply.problem(outcome, "expected a disk to write to, found: " + e.getMessage());
    }
    note(question, reply);
    return reply;
  }

  private Verdict made(Question question, Resources resources) throws IOException {
    return switch (question.verb()) {
      case PUT -> resources.put(question.id(), question.body().getBytes(StandardCharsets.UTF_8));
      case DELETE -> resources.delete(question.id());
      case WITHDRAW -> services.withdraw(question.id());
      case GET -> throw new IllegalStateException("expected a change, found " + question);
    };
  }

  private static Reply done(@Nullable String after, @Nullable String before) {
    if (after == null) {
      return new Reply(Outcome.GONE, "", "", "");
    }
    Outcome outcome = before == null ? Outcome.CREATED : Outcome.OK;
    return new Reply(outcome, Preconditions.etag(after), "", after);
  }

  /** A printable form of an id: a refused one may contain anything, which some databases reject. */
  private static String printable(String id) {
    return CONTROL.matcher(id).replaceAll("\uFFFD");
  }

  private void note(Question question, Reply reply) {
    chronicle.decided(
        new DeskEntry(
            office.now(),
            question.verb() + " " + question.collection() + "/" + printable(question.id()),
            reply.outcome().name().toLowerCase(Locale.ROOT),
            reply.detail(),
            plan().version()));
  }
}
