package dev.pinion.bootstrap.cli;

import dev.pinion.broker.admission.Admission;
import dev.pinion.broker.admission.Decision;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReader;
import dev.pinion.broker.document.Reading;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.MaxRate;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Diagnostic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Solves a problem in this process, verifies the solution, and shows it. */
@Command(
    name = "solve",
    description =
        "Finds the best plan for the classes of a document of schema broker-lp/1, in a relaxed form"
            + " where no plan keeps all bounds, and decides about the contracts it asks for.",
    sortOptions = false)
final class BrokerSolveCommand extends BaseCommand implements Callable<Integer> {
  private static final int MAX_SECONDS = 3_600;

  @Parameters(paramLabel = "FILE", description = "A document of schema broker-lp/1.")
  private Path file = Path.of("");

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time for each program and solver, 1 to 3600. Default: 60.")
  private int seconds = 60;

  @Override
  public Integer call() throws CommandFailure {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new CommandFailure(
          ExitStatus.USAGE, "expected --time-limit from 1 to 3600, found " + seconds);
    }
    Reading reading = new ProblemReader(ProblemLimits.defaults()).read(Inputs.file(file));
    return switch (reading) {
      case Reading.Invalid invalid -> refuse(invalid.problems());
      case Reading.Valid valid -> solve(valid.problem());
    };
  }

  private int refuse(List<Diagnostic> problems) {
    if (json()) {
      var root = Output.JSON.createObjectNode().put("status", "invalid");
      var array = root.putArray("problems");
      problems.forEach(problem -> array.add(ProblemLines.json(problem)));
      Output.json(out(), root);
    }
    problems.forEach(
        problem -> err().println(file + ":" + ProblemLines.line(problem) + at(problem.pointer())));
    return ExitStatus.DATA;
  }

  private static String at(String pointer) {
    return pointer.isEmpty() ? "" : " (at " + pointer + ")";
  }

  private int solve(BrokerProblem problem) throws CommandFailure {
    VerifiedSolver solver = VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(seconds));
    Optimizer optimizer = new Optimizer(solver);
    optimizer.warmUp();
    Result result = known(optimizer.optimise(problem));
    Optimum relaxed =
        result instanceof Result.Infeasible ? plan(known(optimizer.relaxed(problem))) : null;
    SolvedProblem solved =
        new SolvedProblem(problem, result, relaxed, admission(problem, optimizer, solver));
    if (json()) {
      Output.json(out(), SolvedJson.of(solved));
    } else {
      new SolvedText(out()).print(solved);
    }
    return ExitStatus.OK;
  }

  /** Decisions about the requested contracts, in their order. */
  private static List<SolvedProblem.Request> admission(
      BrokerProblem problem, Optimizer optimizer, VerifiedSolver solver) throws CommandFailure {
    if (problem.admission().isEmpty()) {
      return List.of();
    }
    Admission admission = new Admission(optimizer);
    MaxRate maxRate = new MaxRate(solver);
    Result before = admission.before(problem);
    List<SolvedProblem.Request> requests = new ArrayList<>();
    for (AdmissionRequest each : problem.admission()) {
      Decision decision = admission.decide(problem, before, each);
      if (decision instanceof Decision.Undecided undecided) {
        throw unproved(undecided.reasons());
      }
      requests.add(
          switch (maxRate.of(problem, each.candidate())) {
            case MaxRate.Finding.Most most ->
                new SolvedProblem.Request(each, decision, most.rate());
            case MaxRate.Finding.Unknown unknown -> throw unproved(unknown.reasons());
          });
    }
    return requests;
  }

  private static Result known(Result result) throws CommandFailure {
    if (result instanceof Result.Unknown unknown) {
      throw unproved(unknown.reasons());
    }
    return result;
  }

  private static CommandFailure unproved(List<String> reasons) {
    return new CommandFailure(
        ExitStatus.FAILURE,
        "expected an answer that can be proved, found none: " + String.join("; ", reasons));
  }

  private static @Nullable Optimum plan(Result result) throws CommandFailure {
    if (result instanceof Result.Optimal(Optimum optimum)) {
      return optimum;
    }
    throw new CommandFailure(
        ExitStatus.FAILURE, "expected a plan that may break bounds, found none");
  }
}
