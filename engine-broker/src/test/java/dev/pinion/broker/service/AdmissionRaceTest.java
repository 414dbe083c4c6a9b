package dev.pinion.broker.service;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.document.BehaviouralModelJson;
import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.ProblemBuilder;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.IndependentCheck;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.RandomProblems;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.Fact;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four concurrent callers request contracts, now or later, with or without an end, accept offers
 * and return contracts, for random services, processes and classes. For every state that was on
 * disk, an independent check verifies that all contracts can be kept whenever one begins.
 */
class AdmissionRaceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CALLERS = 4;
  private static final int REQUESTS = 4;
  private static final VerifiedSolver SOLVER =
      VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(10));

  @TempDir private Path folder;
  private int admitted;
  private int refused;
  private int unproved;
  private int taken;

  @Test
  void shouldAdmitOnlyWhatCanBeKept() throws Exception {
    race(12);
  }

  @Test
  @Tag("long")
  void shouldAdmitOnlyWhatCanBeKeptInManySequences() throws Exception {
    race(200);
    assertTrue(taken > 20, "offers taken up: " + taken);
  }

  private void race(int sequences) throws Exception {
    long first = Long.getLong("pinion.seed", 5_000);
    System.out.println("AdmissionRaceTest: " + sequences + " from -Dpinion.seed=" + first);
    try (ExecutorService pool = Executors.newFixedThreadPool(CALLERS)) {
      for (long seed = first; seed < first + sequences; seed++) {
        new Sequence(seed).run(pool);
      }
    }
    System.out.printf(
        "%d admitted, %d refused, %d not decided, %d offers taken%n",
        admitted, refused, unproved, taken);
    assertTrue(admitted > sequences && refused > sequences, "both must occur often");
    assertTrue(unproved * 20 < admitted + refused, "not decided: " + unproved);
  }

  /** Actions of callers. */
  private final class Sequence {
    private final long seed;
    private final BrokerProblem problem;
    private final BrokerFolder files;
    private final RememberedFacts memory = new RememberedFacts();
    private final BrokerService desk;
    private final CyclicBarrier start = new CyclicBarrier(CALLERS);
    private final Instant began = Instant.now();

    Sequence(long seed) throws IOException {
      this.seed = seed;
      problem = RandomProblems.of(seed);
      files = new BrokerFolder(Files.createDirectory(folder.resolve("s" + seed)));
      RegistryReader reader = new RegistryReader(_ -> null);
      desk = BrokerService.open(files, reader, SOLVER, Clock.system(), memory);
      for (ConcreteService each : problem.services()) {
        made("services", each.id(), service(each));
      }
      made("model", "", model());
      for (ServiceClass each : problem.classes()) {
        made("classes", each.id(), serviceClass(each));
      }
    }

    private ObjectNode service(ConcreteService each) {
      ObjectNode node = JSON.createObjectNode().put("endpoint", "http://127.0.0.1:1/" + each.id());
      node.put("r", each.response()).put("d", each.reliability()).put("c", each.cost());
      if (each.isLimited()) {
        node.put("load", each.load());
      }
      List<AbstractTask> tasks =
          problem.tasks().stream().filter(task -> task.services().contains(each)).toList();
      tasks.forEach(task -> node.withArray("serves").add(task.id()));
      boolean repeatable =
          tasks.stream().allMatch(task -> task.patterns().contains(CoordinationPattern.ALTERNATE));
      return node.put("idempotent", repeatable);
    }

    private ObjectNode model() throws IOException {
      JsonNode behaviour =
          JSON.readTree(BehaviouralModelJson.document(problem.process(), List.of()));
      ObjectNode node = JSON.createObjectNode();
      node.set("process", behaviour.path("process"));
      boolean least = problem.options().parallelResponse() == ParallelResponse.MIN;
      node.putObject("options")
          .put("max_alt", problem.options().maxAlternates())
          .put("max_par", problem.options().maxParallel())
          .put("par_response", least ? "min" : "first_success");
      return node;
    }

    /** Random bounds, at a price that pays for everything. */
    private ObjectNode serviceClass(ServiceClass each) {
      ObjectNode node = JSON.createObjectNode().put("price", 1_000);
      if (each.boundsResponse()) {
        node.put("r_max", each.maxResponse());
      }
      if (each.boundsReliability()) {
        node.put("d_min", each.minReliability());
      }
      if (each.boundsCost()) {
        node.put("c_max", each.maxCost());
      }
      return node;
    }

    private void made(String collection, String id, ObjectNode document) {
      BrokerResponse brokerResponse = ask(Verb.PUT, collection, id, document.toString());
      assertTrue(
          brokerResponse.outcome() == BrokerStatus.CREATED,
          () -> "seed " + seed + ": " + brokerResponse);
    }

    private BrokerResponse ask(Verb verb, String collection, String id, String body) {
      return desk.handle(new BrokerRequest(verb, collection, id, null, null, body));
    }

    void run(ExecutorService pool) throws Exception {
      List<Future<Void>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        callers.add(
            pool.submit(
                () -> {
                  call(caller);
                  return null;
                }));
      }
      for (Future<Void> each : callers) {
        each.get(60, TimeUnit.SECONDS);
      }
      check();
    }

    private void call(int caller) throws Exception {
      Random random = new Random(seed * CALLERS + caller);
      start.await(60, TimeUnit.SECONDS);
      for (int i = 0; i < REQUESTS; i++) {
        int which = random.nextInt(problem.classes().size());
        String wished = problem.classes().get(which).id();
        String id = caller + "-" + i;
        ObjectNode validity = validity(random);
        BrokerResponse brokerResponse = wish(id, wished, 0.2 + 10 * random.nextDouble(), validity);
        JsonNode offer = JSON.readTree(brokerResponse.body()).at("/offer/rate");
        if (brokerResponse.outcome() == BrokerStatus.NOT_ADMITTED && offer.isNumber()) {
          takeUp(wish(id, wished, offer.asDouble(), validity));
        }
        if (random.nextInt(4) == 0) {
          ask(Verb.DELETE, "slas", id, "");
        }
      }
    }

    /** From now or in an hour or two, until some hours later or without an end. */
    private ObjectNode validity(Random random) {
      ObjectNode node = JSON.createObjectNode();
      Instant from = began.plus(random.nextInt(3), ChronoUnit.HOURS);
      if (from.isAfter(began)) {
        node.put("from", from.toString());
      }
      if (random.nextBoolean()) {
        node.put("until", from.plus(1 + random.nextInt(2), ChronoUnit.HOURS).toString());
      }
      return node;
    }

    private BrokerResponse wish(String id, String serviceClass, double rate, ObjectNode validity) {
      ObjectNode node = validity.deepCopy().put("class", serviceClass).put("rate", rate);
      BrokerResponse brokerResponse = ask(Verb.PUT, "slas", id, node.toString());
      boolean isIn = brokerResponse.outcome() == BrokerStatus.CREATED;
      boolean isRefused = brokerResponse.outcome() == BrokerStatus.NOT_ADMITTED;
      // No solver can prove a case at the edge within rounding either way.
      boolean isUnproved = brokerResponse.outcome() == BrokerStatus.UNAVAILABLE;
      assertTrue(isIn || isRefused || isUnproved, () -> "seed " + seed + ": " + brokerResponse);
      count(isIn, isRefused, isUnproved);
      return brokerResponse;
    }

    /** Checks every version of the contracts, not only the last one. */
    private void check() throws IOException {
      BrokerRepository now =
          new BrokerRepository(
              files, new RegistryReader(_ -> null), Clock.system(), KnowledgeBase.NONE);
      for (Fact.DocumentSaved each :
          memory.latest(
              Fact.DocumentSaved.class, saved -> saved.name().equals("contracts"), 1_000)) {
        byte[] document = each.document().getBytes(StandardCharsets.UTF_8);
        Contracts contracts =
            switch (new ContractReader().contracts(document)) {
              case DocumentReading.Valid<Contracts>(Contracts read) -> read;
              case DocumentReading.Invalid<Contracts> invalid -> fail(invalid.toString());
            };
        for (int hour = 0; hour < 3; hour++) {
          Instant moment = began.plus(hour, ChronoUnit.HOURS);
          if (contracts.slas().values().stream().anyMatch(sla -> sla.isValidAt(moment))) {
            isKept(contracts, now, moment);
          }
        }
      }
    }

    private void isKept(Contracts contracts, BrokerRepository now, Instant moment)
        throws IOException {
      ProblemReading problemReading =
          new ProblemBuilder(ProblemLimits.defaults()).make(contracts, now.registry(), moment);
      BrokerProblem all =
          assertInstanceOf(ProblemReading.ValidProblem.class, problemReading).problem();
      OptimisationResult optimisationResult = new Optimizer(SOLVER).optimise(all);
      String what = "seed " + seed + ", version " + contracts.version() + ", at " + moment;
      OptimisationResult.Optimal optimal =
          assertInstanceOf(OptimisationResult.Optimal.class, optimisationResult, what);
      new IndependentCheck(all).isKept(optimal.optimum());
    }
  }

  private synchronized void count(boolean isIn, boolean isRefused, boolean isUnproved) {
    admitted += isIn ? 1 : 0;
    refused += isRefused ? 1 : 0;
    unproved += isUnproved ? 1 : 0;
  }

  /** Accepts an offer; another caller may have been faster. */
  private synchronized void takeUp(BrokerResponse brokerResponse) {
    taken += brokerResponse.outcome() == BrokerStatus.CREATED ? 1 : 0;
  }
}
