package dev.pinion.bootstrap.cli.broker;

import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReader;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.AdmissionControl;
import dev.pinion.broker.optimise.AdmissionDecision;
import dev.pinion.broker.optimise.MaxRateSolver;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
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
  public Integer call() throws CommandException {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new CommandException(
          ExitStatus.USAGE, "expected --time-limit from 1 to 3600, found " + seconds);
    }
    ProblemReading problemReading =
        new ProblemReader(ProblemLimits.defaults()).read(CommandInput.file(file));
    return switch (problemReading) {
      case ProblemReading.InvalidProblem invalidProblem -> refuse(invalidProblem.problems());
      case ProblemReading.ValidProblem validProblem -> solve(validProblem.problem());
    };
  }

  private int refuse(List<Diagnostic> problems) {
    if (json()) {
      var root = CommandOutput.JSON.createObjectNode().put("status", "invalid");
      var array = root.putArray("problems");
      problems.forEach(problem -> array.add(DiagnosticText.json(problem)));
      CommandOutput.json(out(), root);
    }
    problems.forEach(
        problem ->
            err().println(file + ":" + DiagnosticText.line(problem) + at(problem.pointer())));
    return ExitStatus.DATA;
  }

  private static String at(String pointer) {
    return pointer.isEmpty() ? "" : " (at " + pointer + ")";
  }

  private int solve(BrokerProblem problem) throws CommandException {
    VerifiedSolver solver = VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(seconds));
    Optimizer optimizer = new Optimizer(solver);
    optimizer.warmUp();
    OptimisationResult optimisationResult = known(optimizer.optimise(problem));
    OptimalPlan relaxed =
        optimisationResult instanceof OptimisationResult.Infeasible
            ? plan(known(optimizer.relaxed(problem)))
            : null;
    SolveReport solved =
        new SolveReport(
            problem, optimisationResult, relaxed, admission(problem, optimizer, solver));
    if (json()) {
      CommandOutput.json(out(), SolveReportJson.of(solved));
    } else {
      new SolveReportText(out()).print(solved);
    }
    return ExitStatus.OK;
  }

  /** Decisions about the requested contracts, in their order. */
  private static List<SolveReport.AdmissionOutcome> admission(
      BrokerProblem problem, Optimizer optimizer, VerifiedSolver solver) throws CommandException {
    if (problem.admission().isEmpty()) {
      return List.of();
    }
    AdmissionControl admissionControl = new AdmissionControl(optimizer);
    MaxRateSolver maxRateSolver = new MaxRateSolver(solver);
    OptimisationResult before = admissionControl.before(problem);
    List<SolveReport.AdmissionOutcome> requests = new ArrayList<>();
    for (AdmissionRequest each : problem.admission()) {
      AdmissionDecision admissionDecision = admissionControl.decide(problem, before, each);
      if (admissionDecision instanceof AdmissionDecision.Undecided undecided) {
        throw unproved(undecided.reasons());
      }
      requests.add(
          switch (maxRateSolver.of(problem, each.candidate())) {
            case MaxRateSolver.MaxRateResult.MaximumRate maximumRate ->
                new SolveReport.AdmissionOutcome(each, admissionDecision, maximumRate.rate());
            case MaxRateSolver.MaxRateResult.UnknownRate unknownRate ->
                throw unproved(unknownRate.reasons());
          });
    }
    return requests;
  }

  private static OptimisationResult known(OptimisationResult optimisationResult)
      throws CommandException {
    if (optimisationResult instanceof OptimisationResult.Unknown unknown) {
      throw unproved(unknown.reasons());
    }
    return optimisationResult;
  }

  private static CommandException unproved(List<String> reasons) {
    return new CommandException(
        ExitStatus.FAILURE,
        "expected an answer that can be proved, found none: " + String.join("; ", reasons));
  }

  private static @Nullable OptimalPlan plan(OptimisationResult optimisationResult)
      throws CommandException {
    if (optimisationResult instanceof OptimisationResult.Optimal(OptimalPlan optimalPlan)) {
      return optimalPlan;
    }
    throw new CommandException(
        ExitStatus.FAILURE, "expected a plan that may break bounds, found none");
  }
}
