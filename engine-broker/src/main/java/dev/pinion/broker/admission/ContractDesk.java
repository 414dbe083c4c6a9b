package dev.pinion.broker.admission;

import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.MaxRate;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Takes contracts on and ends them, one after the other: two that would each fit but not together
 * never both get in. Contracts and the plan that keeps them change at once, as one {@link
 * ContractBook}. Any thread; callers wait for each other, and for solvers.
 */
public final class ContractDesk {
  /** Contracts of a desk, unless said otherwise. */
  public static final int DEFAULT_MAX_CONTRACTS = 10_000;

  /** By how much an offer stays below the greatest rate, so that it is not refused by rounding. */
  private static final double OFFER_MARGIN = 1e-6;

  private final Optimizer optimizer;
  private final Admission admission;
  private final MaxRate maxRate;
  private final int maxContracts;
  private volatile ContractBook book;

  /** What came of a wish for a contract. */
  public sealed interface Outcome {
    /**
     * It is in force.
     *
     * @param book all contracts, this one included
     */
    record Admitted(ContractBook book) implements Outcome {}

    /**
     * It is not; nothing has changed.
     *
     * @param reason why, for people
     * @param offer requests/s of the same class that fit, above 0 and possibly infinite; none when
     *     rates are not what is wrong, or nothing fits
     */
    record Refused(String reason, Optional<Double> offer) implements Outcome {}
  }

  /**
   * A desk without contracts.
   *
   * @param problem process, services and options; its classes are left aside
   * @param maxContracts contracts that it keeps, at least 1
   */
  public ContractDesk(
      BrokerProblem problem, Optimizer optimizer, MaxRate maxRate, int maxContracts) {
    this.optimizer = optimizer;
    this.maxRate = maxRate;
    this.maxContracts = maxContracts;
    admission = new Admission(optimizer);
    BrokerProblem empty = problem.withClasses(List.of());
    if (!(admission.before(empty) instanceof Result.Optimal(Optimum plan))) {
      throw new IllegalStateException("expected a plan for no classes at all, found none");
    }
    book = new ContractBook(0, Map.of(), empty, plan, true);
  }

  /** The contracts in force, and their plan. Never waits. */
  public ContractBook book() {
    return book;
  }

  /** Takes a contract on, if it can be kept beside all others. */
  public synchronized Outcome request(Contract contract) {
    ContractBook now = book;
    Optional<String> wrong = wrong(now, contract);
    if (wrong.isPresent()) {
      return new Outcome.Refused(wrong.get(), Optional.empty());
    }
    boolean joins = now.problem().serviceClass(contract.serviceClass().id()).isPresent();
    AdmissionRequest request = new AdmissionRequest(contract.serviceClass(), joins);
    Result before = now.isBest() ? new Result.Optimal(now.plan()) : admission.before(now.problem());
    return switch (admission.decide(now.problem(), before, request)) {
      case Decision.Admitted admitted -> {
        Map<String, Contract> contracts = now.with(contract);
        book = next(now, contracts, admitted.plan(), true);
        yield new Outcome.Admitted(book);
      }
      case Decision.Infeasible _ ->
          new Outcome.Refused(
              "its promises cannot be kept beside those of the others",
              offer(now.problem(), contract));
      case Decision.Loss loss ->
          new Outcome.Refused(
              String.format(
                  Locale.ROOT, "it would cost more than it earns, by %.6g/s", -loss.gain()),
              Optional.empty());
      case Decision.Undecided undecided ->
          new Outcome.Refused(
              "no solver gave an answer that can be proved: " + undecided.reasons(),
              Optional.empty());
    };
  }

  private Optional<String> wrong(ContractBook now, Contract contract) {
    if (now.contracts().containsKey(contract.id())) {
      return Optional.of("expected a new id, found that of a contract in force: " + contract.id());
    }
    if (now.contracts().size() >= maxContracts) {
      return Optional.of("expected at most " + maxContracts + " contracts, found one more");
    }
    ServiceClass wished = contract.serviceClass();
    return now.problem()
        .serviceClass(wished.id())
        .filter(known -> !known.withRate(wished.rate()).equals(wished))
        .map(known -> "expected class " + wished.id() + " as it is in force, found it otherwise");
  }

  private Optional<Double> offer(BrokerProblem problem, Contract contract) {
    return switch (maxRate.of(problem, contract.serviceClass())) {
      case MaxRate.Finding.Most most ->
          Optional.of(most.rate() * (1 - OFFER_MARGIN)).filter(rate -> rate > 0);
      case MaxRate.Finding.Unknown _ -> Optional.empty();
    };
  }

  /**
   * Ends a contract. Its promises end at once; when no solver answers, the others stay on the plan
   * that they have, which still keeps what they were promised.
   *
   * @return the contracts then; none when there is no such contract
   */
  public synchronized Optional<ContractBook> end(String id) {
    ContractBook now = book;
    if (!now.contracts().containsKey(id)) {
      return Optional.empty();
    }
    Map<String, Contract> contracts = now.without(id);
    BrokerProblem problem = now.problem().withClasses(ContractBook.classes(contracts));
    book =
        optimizer.optimise(problem) instanceof Result.Optimal(Optimum plan)
            ? next(now, contracts, plan, true)
            : next(now, contracts, now.plan(), false);
    return Optional.of(book);
  }

  private static ContractBook next(
      ContractBook now, Map<String, Contract> contracts, Optimum plan, boolean isBest) {
    BrokerProblem problem = now.problem().withClasses(ContractBook.classes(contracts));
    return new ContractBook(now.version() + 1, contracts, problem, plan, isBest);
  }
}
