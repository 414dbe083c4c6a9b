package dev.pinion.bootstrap.cli.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReader;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.document.RegistryWriter;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Solves a problem from the registry, and builds the table by which replicas bind. */
@Command(
    name = "plan",
    description =
        "Finds the best plan for the classes of a document of schema broker-lp/1 by what is"
            + " registered of its services. With --apply, running replicas bind by it within a"
            + " second.",
    sortOptions = false)
final class BrokerPlanCommand extends EngineCommand implements Callable<Integer> {
  private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "A document of schema broker-lp/1; its tasks are named as abstract services. Without it"
              + " the plan in force of the running engine of --url is shown.")
  private @Nullable Path file;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "The data folder of the engine; needed with FILE.")
  private @Nullable Path data;

  @Option(names = "--apply", description = "Put the plan into force.")
  private boolean apply;

  @Option(
      names = "--default-class",
      paramLabel = "CLASS",
      description = "The class of callers that have none. Default: the first of the document.")
  private @Nullable String defaultClass;

  @Override
  public Integer call() throws CommandException {
    Path document = file;
    Path folder = data;
    if (document == null) {
      return show();
    }
    if (folder == null) {
      throw new CommandException(ExitStatus.USAGE, "expected --data FOLDER with FILE, found none");
    }
    return plan(document, folder);
  }

  private int show() throws CommandException {
    try (RestClient client = client()) {
      JsonNode plan = BrokerResponses.check(client.broker("plan"));
      if (json()) {
        CommandOutput.json(out(), plan);
      } else {
        out().println("table " + plan.path("version") + " " + plan.path("state").asText());
        out().println("made for: " + plan.path("cause").asText());
        if (!plan.path("reason").asText().isEmpty()) {
          out().println("because: " + plan.path("reason").asText());
        }
        plan.path("classes")
            .properties()
            .forEach(each -> out().println(each.getKey() + " " + each.getValue()));
      }
      return ExitStatus.OK;
    }
  }

  private int plan(Path file, Path data) throws CommandException {
    ProblemReading problemReading =
        new ProblemReader(ProblemLimits.defaults()).read(CommandInput.file(file));
    return switch (problemReading) {
      case ProblemReading.InvalidProblem invalidProblem ->
          BrokerDocuments.refuse(file.toString(), invalidProblem.problems(), err());
      case ProblemReading.ValidProblem validProblem -> {
        BrokerDocuments documents = new BrokerDocuments(data);
        yield documents.exclusively(() -> plan(validProblem.problem(), documents));
      }
    };
  }

  private int plan(BrokerProblem problem, BrokerDocuments documents)
      throws IOException, CommandException {
    ServiceRegistry serviceRegistry = documents.registry();
    List<String> problems = new ArrayList<>();
    Instant now = Instant.ofEpochMilli(Clock.system().epochMillis());
    BrokerProblem promised = serviceRegistry.applied(problem, now, problems);
    if (!problems.isEmpty()) {
      throw new CommandException(ExitStatus.DATA, String.join("\n", problems));
    }
    String others = defaultClass == null ? firstClass(promised) : defaultClass;
    OptimalPlan optimalPlan = solved(promised);
    long version = documents.tableVersion() + 1;
    PublishedTable table =
        PublishedTable.of(version, others, serviceRegistry, optimalPlan.classes());
    byte[] document = checked(documents.reader(), RegistryWriter.table(table));
    if (apply) {
      BrokerFolder.write(documents.folder().table(), document);
    }
    print(table, optimalPlan);
    return ExitStatus.OK;
  }

  private static String firstClass(BrokerProblem problem) throws CommandException {
    if (problem.classes().isEmpty()) {
      throw new CommandException(ExitStatus.DATA, "expected at least one class, found none");
    }
    return problem.classes().getFirst().id();
  }

  private OptimalPlan solved(BrokerProblem problem) throws CommandException {
    Optimizer optimizer = new Optimizer(VerifiedSolver.ofOrTools(Clock.system(), TIME_LIMIT));
    optimizer.warmUp();
    return switch (optimizer.optimise(problem)) {
      case OptimisationResult.Optimal(OptimalPlan optimalPlan) -> optimalPlan;
      case OptimisationResult.Infeasible infeasible ->
          throw new CommandException(
              ExitStatus.FAILURE,
              "expected a plan that keeps all bounds, found none: they must be broken by "
                  + infeasible.violation()
                  + " in sum, relative to themselves; the table in force stays");
      case OptimisationResult.Unknown unknown ->
          throw new CommandException(
              ExitStatus.FAILURE,
              "expected an answer that can be proved, found none: "
                  + String.join("; ", unknown.reasons()));
    };
  }

  /** Refuses what replicas would refuse. */
  private static byte[] checked(RegistryReader reader, byte[] document) throws CommandException {
    if (reader.table(document)
        instanceof DocumentReading.Invalid<PublishedTable>(List<Diagnostic> problems)) {
      throw new CommandException(
          ExitStatus.DATA, "expected a plan that can be a table, found: " + problems.getFirst());
    }
    return document;
  }

  private void print(PublishedTable table, OptimalPlan optimalPlan) {
    if (json()) {
      ObjectNode root = CommandOutput.JSON.createObjectNode();
      root.put("version", table.version()).put("applied", apply);
      root.put("objective", optimalPlan.objective());
      CommandOutput.json(out(), root);
      return;
    }
    table
        .bindings()
        .forEach(
            (serviceClass, services) ->
                services.forEach(
                    (service, shares) ->
                        shares.forEach(
                            share ->
                                out()
                                    .printf(
                                        Locale.ROOT,
                                        "%s %s %.4f %s %s%n",
                                        serviceClass,
                                        service,
                                        share.fraction(),
                                        share.pattern().label(),
                                        String.join(" ", share.services())))));
    out()
        .println(apply ? "table " + table.version() + " is published" : "not applied; say --apply");
  }
}
