package dev.pinion.broker.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.lp.LpSolver;
import dev.pinion.broker.lp.OrToolsSolver;
import dev.pinion.broker.lp.Solution;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Mode;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.Options;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Weights;
import dev.pinion.broker.optimise.IndependentCheck;
import dev.pinion.broker.optimise.MaxRate;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.RandomProblems;
import dev.pinion.broker.optimise.Solvers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ContractDeskTest {
  private static final int SEQUENCES = 200;
  private static final int THREADS = 4;
  private static final int REQUESTS = 4;
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  /** Ten requests/s of the cheap service; the other one costs more than a request earns. */
  private static final BrokerProblem SCARCE =
      new BrokerProblem(
          "scarce",
          new Options(
              1,
              1,
              ParallelResponse.FIRST_SUCCESS,
              Objective.PROFIT,
              Mode.STRICT,
              Penalties.of(Objective.PROFIT)),
          new ProcessNode.Task("A"),
          List.of(service("cheap", 1, 10), service("dear", 20, 5)),
          List.of(
              new AbstractTask(
                  "A",
                  List.of(service("cheap", 1, 10), service("dear", 20, 5)),
                  EnumSet.of(Pattern.SINGLE))),
          List.of(),
          List.of());

  private final VerifiedSolver solver = Solvers.both();

  private static ConcreteService service(String id, double cost, double load) {
    return new ConcreteService(id, 0.1, 0.99, cost, load);
  }

  private static Contract contract(String id, String serviceClass, double rate) {
    return new Contract(
        id, new ServiceClass(serviceClass, rate, 1, 0.9, NO_LIMIT, 5, 1, Weights.NONE, Map.of()));
  }

  private ContractDesk desk(BrokerProblem problem, int most) {
    return new ContractDesk(problem, new Optimizer(solver), new MaxRate(solver), most);
  }

  @Test
  void shouldTakeOnWhatFits() {
    ContractDesk desk = desk(SCARCE, 10);

    admitted(desk.request(contract("one", "gold", 4)));
    ContractBook book = admitted(desk.request(contract("two", "gold", 5)));

    assertSame(book, desk.book());
    assertEquals(2, book.version());
    assertEquals(9, book.problem().classes().getFirst().rate());
    assertEquals(9 * (5 - 1), book.plan().objective(), 1e-6);
    assertEquals(List.of("one", "two"), List.copyOf(book.contracts().keySet()));
  }

  @Test
  void shouldOfferWhatFitsWhereTheWishDoesNot() {
    ContractDesk desk = desk(SCARCE, 10);
    ContractBook before = admitted(desk.request(contract("one", "gold", 4)));

    ContractDesk.Outcome.Refused refused = refused(desk.request(contract("two", "silver", 12)));

    assertTrue(refused.reason().contains("cannot be kept"), refused.reason());
    double offer = refused.offer().orElseThrow();
    assertEquals(11, offer, 1e-4);
    assertSame(before, desk.book(), "nothing has changed");
    // Eleven fit, but five of them on the dear service: the offer is about promises, not earnings.
    ContractDesk.Outcome.Refused loss = refused(desk.request(contract("two", "silver", offer)));
    assertTrue(loss.reason().contains("cost more than it earns"), loss.reason());
    assertEquals(Optional.empty(), loss.offer());
  }

  @Test
  void shouldRefuseWhatLosesMoney() {
    ContractDesk desk = desk(SCARCE, 10);
    admitted(desk.request(contract("one", "gold", 9)));

    ContractDesk.Outcome.Refused refused = refused(desk.request(contract("two", "gold", 3)));

    assertTrue(refused.reason().contains("by 26.0"), refused.reason()); // 4 earned, 2 * 15 lost
  }

  @Test
  void shouldMakeRoomWhenContractsEnd() {
    ContractDesk desk = desk(SCARCE, 10);
    admitted(desk.request(contract("one", "gold", 9)));
    refused(desk.request(contract("two", "gold", 9)));

    ContractBook book = desk.end("one").orElseThrow();

    assertEquals(List.of(), book.problem().classes());
    assertTrue(book.isBest());
    assertEquals(Optional.empty(), desk.end("one"));
    admitted(desk.request(contract("two", "gold", 9)));
  }

  @Test
  void shouldRefuseContractsThatContradictThoseInForce() {
    ContractDesk desk = desk(SCARCE, 2);
    admitted(desk.request(contract("one", "gold", 1)));

    assertTrue(refused(desk.request(contract("one", "gold", 1))).reason().contains("a new id"));
    Contract otherwise =
        new Contract(
            "two", new ServiceClass("gold", 1, 2, 0.9, NO_LIMIT, 5, 1, Weights.NONE, Map.of()));
    assertTrue(refused(desk.request(otherwise)).reason().contains("class gold as it is in force"));
    admitted(desk.request(contract("two", "gold", 1)));
    String full = refused(desk.request(contract("three", "gold", 1))).reason();
    assertTrue(full.contains("at most 2 contracts"), full);
  }

  @Test
  void shouldTakeNobodyOnWithoutProof() {
    Flaky flaky = new Flaky();
    VerifiedSolver unsure = Solvers.verified(flaky);
    ContractDesk desk = new ContractDesk(SCARCE, new Optimizer(unsure), new MaxRate(unsure), 10);
    admitted(desk.request(contract("one", "gold", 1)));
    admitted(desk.request(contract("two", "gold", 1)));

    flaky.works = false;
    String reason = refused(desk.request(contract("three", "gold", 1))).reason();
    assertTrue(reason.contains("can be proved"), reason);
    ContractBook stale = desk.end("one").orElseThrow();
    assertTrue(!stale.isBest() && stale.contracts().size() == 1, "ended all the same");

    flaky.works = true;
    ContractBook after = admitted(desk.request(contract("three", "gold", 1)));
    assertTrue(after.isBest());
    assertEquals(2 * (5 - 1), after.plan().objective(), 1e-6);
  }

  /** Works or does not. */
  private static final class Flaky implements LpSolver {
    private final LpSolver solver = new OrToolsSolver(OrToolsSolver.Algorithm.GLOP);
    private volatile boolean works = true;

    @Override
    public String name() {
      return "flaky";
    }

    @Override
    public Solution solve(LinearProgram program, Duration limit) {
      return works ? solver.solve(program, limit) : new Solution.Failed("out of order");
    }
  }

  @Test
  void shouldNeverAdmitWhatIsJointlyInfeasibleAlsoWhenRequestsRace() throws Exception {
    long first = Long.getLong("pinion.seed", 5_000);
    int admitted = 0;
    int refused = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
      for (long seed = first; seed < first + SEQUENCES; seed++) {
        Race race = new Race(seed);
        List<ContractBook> books = race.run(pool);
        books.forEach(ContractDeskTest::check);
        admitted += books.size();
        refused += race.refused;
      }
    }
    System.out.printf(
        "%d sequences from seed %d: %d admitted, %d refused%n",
        SEQUENCES, first, admitted, refused);
    assertTrue(admitted > SEQUENCES && refused > SEQUENCES, "both must occur often");
  }

  private static void check(ContractBook book) {
    new IndependentCheck(book.problem()).isKept(book.plan());
  }

  /** Threads that want contracts, and end some, at one desk. */
  private final class Race {
    private final long seed;
    private final BrokerProblem problem;
    private final ContractDesk desk;
    private final CyclicBarrier start = new CyclicBarrier(THREADS);
    private final List<ContractBook> books = Collections.synchronizedList(new ArrayList<>());
    private volatile int refused;

    Race(long seed) {
      this.seed = seed;
      BrokerProblem random = RandomProblems.of(seed);
      problem =
          random.withClasses(random.classes().stream().map(ContractDeskTest::profitable).toList());
      desk = desk(problem, 100);
    }

    List<ContractBook> run(ExecutorService pool) throws Exception {
      List<Future<Integer>> threads = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        threads.add(pool.submit(() -> requests(thread)));
      }
      int sum = 0;
      for (Future<Integer> each : threads) {
        sum += each.get(60, TimeUnit.SECONDS);
      }
      refused = sum;
      return books;
    }

    /** How many of a thread's wishes were refused. */
    private int requests(int thread) throws Exception {
      Random random = new Random(seed * THREADS + thread);
      int count = 0;
      start.await(60, TimeUnit.SECONDS);
      for (int i = 0; i < REQUESTS; i++) {
        ServiceClass wished = problem.classes().get(random.nextInt(problem.classes().size()));
        String id = thread + "-" + i;
        double rate = 0.2 + 10 * random.nextDouble();
        count += wish(new Contract(id, wished.withRate(rate)), random);
        if (random.nextInt(4) == 0) {
          desk.end(id).ifPresent(books::add);
        }
      }
      return count;
    }

    private int wish(Contract contract, Random random) {
      return switch (desk.request(contract)) {
        case ContractDesk.Outcome.Admitted admitted -> {
          books.add(admitted.book());
          yield 0;
        }
        case ContractDesk.Outcome.Refused refusal -> {
          if (random.nextInt(3) == 0) {
            refusal.offer().filter(Double::isFinite).ifPresent(rate -> takeUp(contract, rate));
          }
          yield 1;
        }
      };
    }

    /** Another thread may have been faster; what is admitted is checked all the same. */
    private void takeUp(Contract contract, double rate) {
      Contract offered =
          new Contract(contract.id() + "-offered", contract.serviceClass().withRate(rate));
      if (desk.request(offered) instanceof ContractDesk.Outcome.Admitted(ContractBook book)) {
        books.add(book);
      }
    }
  }

  private static ServiceClass profitable(ServiceClass each) {
    return new ServiceClass(
        each.id(),
        each.rate(),
        each.maxResponse(),
        each.minReliability(),
        each.maxCost(),
        1_000,
        each.importance(),
        each.weights(),
        each.usage());
  }

  @Test
  void shouldMakeOffersThatAreAdmitted() {
    int taken = 0;
    for (long seed = 9_000; seed < 9_040; seed++) {
      BrokerProblem random = RandomProblems.of(seed);
      ServiceClass wished = profitable(random.classes().getFirst());
      ContractDesk desk = desk(random.withClasses(List.of(wished)), 10);
      desk.request(new Contract("first", wished.withRate(0.1)));
      if (desk.request(new Contract("huge", wished.withRate(1e4)))
              instanceof ContractDesk.Outcome.Refused refused
          && refused.offer().isPresent()) {
        double rate = refused.offer().get();
        ContractBook book = admitted(desk.request(new Contract("offered", wished.withRate(rate))));
        check(book);
        taken++;
      }
    }
    assertTrue(taken > 5, "offers taken up: " + taken);
  }

  private static ContractBook admitted(ContractDesk.Outcome outcome) {
    return assertInstanceOf(ContractDesk.Outcome.Admitted.class, outcome).book();
  }

  private static ContractDesk.Outcome.Refused refused(ContractDesk.Outcome outcome) {
    return assertInstanceOf(ContractDesk.Outcome.Refused.class, outcome);
  }
}
