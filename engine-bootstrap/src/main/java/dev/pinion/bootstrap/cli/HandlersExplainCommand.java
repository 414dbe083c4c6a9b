package dev.pinion.bootstrap.cli;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.Explanation;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.CallingThread;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tries the handlers of chains with one message, and explains how they are best arranged. */
@Command(
    name = "explain",
    description =
        "Tries the handlers of chains with one message, here and now, and shows what they take,"
            + " what is expected of them one after another, side by side and pipelined, and the"
            + " layout that is best. Handlers with effects are left out unless --with-effects.",
    sortOptions = false)
final class HandlersExplainCommand extends BaseCommand implements Callable<Integer> {
  private final HandlerKinds kinds;

  @Parameters(paramLabel = "FILE", description = "Document of chains, YAML or JSON.")
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

  @Option(names = "--with-effects", description = "Try handlers that have effects as well.")
  private boolean withEffects;

  HandlersExplainCommand() {
    this(HandlerKinds.installed(HandlersExplainCommand.class.getClassLoader()));
  }

  HandlersExplainCommand(HandlerKinds kinds) {
    this.kinds = kinds;
  }

  @Override
  public Integer call() throws CommandFailure {
    if (messages < 1 || workers < 1) {
      throw new CommandFailure(
          ExitStatus.USAGE,
          "expected at least 1 message and 1 worker, found " + messages + " and " + workers);
    }
    List<Explanation> explained = explain(chains());
    ExplanationText text = new ExplanationText(messages);
    if (json()) {
      Output.json(out(), text.json(explained));
    } else {
      explained.forEach(each -> text.print(out(), each));
    }
    return ExitStatus.OK;
  }

  private List<ConfiguredChain> chains() throws CommandFailure {
    String document = new String(Inputs.file(file), StandardCharsets.UTF_8);
    try {
      List<ConfiguredChain> all =
          new ChainReader(kinds, EngineLimits.defaults(), null).read(document);
      List<ConfiguredChain> wanted =
          all.stream().filter(each -> chain == null || chain.equals(each.plan().name())).toList();
      if (wanted.isEmpty()) {
        throw new CommandFailure(
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
      throw new CommandFailure(
          ExitStatus.DATA,
          "expected a document of chains, found " + e.problems().size() + " problems");
    }
  }

  private List<Explanation> explain(List<ConfiguredChain> chains) throws CommandFailure {
    Body content = Body.of(Payload.of(Inputs.json(body)));
    Clock clock = Clock.system();
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(workers, 0), clock)) {
      return chains.stream()
          .map(
              each -> {
                Point point = each.at() == null ? Point.REQUEST_IN : each.at().point();
                Message message = Message.of(MessageId.random(), point, properties, content);
                return Explanation.of(
                    each.plan(),
                    message,
                    messages,
                    withEffects,
                    new CallingThread(clock),
                    pool,
                    EngineLimits.defaults());
              })
          .toList();
    } finally {
      chains.forEach(each -> each.plan().steps().forEach(step -> step.handler().close()));
    }
  }
}
