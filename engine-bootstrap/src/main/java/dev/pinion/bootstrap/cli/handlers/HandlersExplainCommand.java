package dev.pinion.bootstrap.cli.handlers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.ChainDocuments;
import dev.pinion.handlers.ChainExplanation;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.EventTables;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.builtin.data.EnrichFactory;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tries the handlers of chains with one message, and explains their best arrangement. */
@Command(
    name = "explain",
    description =
        "Tries the handlers of chains with one message, here and now, and shows what they take,"
            + " what is expected of them one after another, side by side and pipelined, and the"
            + " layout that is best. Handlers with effects are left out unless --with-effects. With"
            + " --nats, handlers that may be elsewhere are measured in hosts as well.",
    sortOptions = false)
final class HandlersExplainCommand extends BaseCommand implements Callable<Integer> {
  private static final int MOST_SERVICE_MILLIS = 3_600_000;
  private static final double NANOS_OF_A_MILLI = 1e6;

  /** Kinds to use instead of the installed ones; null for the installed ones. */
  private final @Nullable HandlerKinds given;

  @Parameters(
      paramLabel = "PATH",
      description = "Document of chains, YAML or JSON, or folder of such.")
  private Path file = Path.of("");

  @Option(names = "--chain", paramLabel = "NAME", description = "Only this chain.")
  private @Nullable String chain;

  @Option(
      names = "--body",
      paramLabel = "JSON",
      description = "Body of the message: JSON, @FILE, or - for standard input. Default: {}.")
  private String body = "{}";

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description = "Property of the message, such as header.authorization=….")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = "--messages",
      paramLabel = "N",
      description = "How often the message is sent, and how many are predicted. Default: 100.")
  private int messages = 100;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "How many workers there are. Default: as many as CPUs.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--service-ms",
      paramLabel = "MS",
      description =
          "What the service takes that the chains surround: a stage of the pipeline. Default: 0, no"
              + " service.")
  private double serviceMillis;

  @Mixin private final HandlersPath path = new HandlersPath();

  @Option(names = "--with-effects", description = "Try handlers that have effects as well.")
  private boolean withEffects;

  @Mixin private final NatsOptions nats = new NatsOptions();

  HandlersExplainCommand() {
    this(null);
  }

  HandlersExplainCommand(@Nullable HandlerKinds given) {
    this.given = given;
  }

  private HandlerKinds kinds() throws CommandException {
    return given != null ? given : path.kinds().with(new EnrichFactory(EventTables.EMPTY));
  }

  @Override
  public Integer call() throws CommandException {
    if (messages < 1 || workers < 1) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected at least 1 message and 1 worker, found " + messages + " and " + workers);
    }
    if (!(serviceMillis >= 0 && serviceMillis <= MOST_SERVICE_MILLIS)) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected --service-ms from 0 to " + MOST_SERVICE_MILLIS + ", found " + serviceMillis);
    }
    try (HandlerPlacementTrial places = nats.isGiven() ? new HandlerPlacementTrial(nats) : null) {
      explain(chains(places), places);
    }
    return ExitStatus.OK;
  }

  private List<ConfiguredChain> chains(@Nullable HandlerPlacementTrial places)
      throws CommandException {
    if (!Files.isReadable(file)) {
      throw new CommandException(
          ExitStatus.NO_INPUT,
          "expected a document of chains, or a folder of such, to read at " + file);
    }
    EngineLimits limits = EngineLimits.defaults();
    try {
      List<ConfiguredChain> all =
          new ChainReader(kinds(), limits, places)
              .read(new ChainDocuments(file, limits.handlers().maxDocumentBytes()).read());
      List<ConfiguredChain> wanted =
          all.stream().filter(each -> chain == null || chain.equals(each.plan().name())).toList();
      if (wanted.isEmpty()) {
        throw new CommandException(
            ExitStatus.DATA,
            "expected a chain"
                + (chain == null ? "" : " \"" + chain + "\"")
                + " in "
                + file
                + ", found "
                + all.stream().map(each -> each.plan().name()).toList());
      }
      return wanted;
    } catch (InvalidChainsException e) {
      for (SettingProblem problem : e.problems()) {
        err().println(file + ": " + problem);
      }
      throw new CommandException(
          ExitStatus.DATA,
          "expected a document of chains, found " + e.problems().size() + " problems");
    }
  }

  private void explain(List<ConfiguredChain> chains, @Nullable HandlerPlacementTrial places)
      throws CommandException {
    Body content = Body.of(Payload.of(CommandInput.json(body)));
    Clock clock = Clock.system();
    ChainExplanationText text = new ChainExplanationText(messages);
    ArrayNode array = CommandOutput.JSON.createArrayNode();
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(workers, 0), clock)) {
      for (ConfiguredChain each : chains) {
        Point point = each.at() == null ? Point.REQUEST_IN : each.at().point();
        Message message = Message.of(MessageId.random(), point, properties, content);
        ChainExplanation explained =
            ChainExplanation.of(
                    each.plan(),
                    message,
                    messages,
                    withEffects,
                    new CallerRunsWorkers(clock),
                    pool,
                    EngineLimits.defaults())
                .withService(serviceMillis * NANOS_OF_A_MILLI);
        List<HandlerPlacementTrial.TrialResult> tried =
            places == null ? List.of() : places.trial(each.plan().name(), message, messages);
        if (json()) {
          text.json(array.addObject(), explained, tried);
        } else {
          text.print(out(), explained, tried);
        }
      }
    } finally {
      chains.forEach(each -> each.plan().steps().forEach(step -> step.handler().close()));
    }
    if (json()) {
      CommandOutput.json(out(), array);
    }
  }
}
