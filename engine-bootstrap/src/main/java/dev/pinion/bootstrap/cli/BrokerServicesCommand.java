package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.broker.document.RegistryWriter;
import dev.pinion.broker.document.TableReading;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Registry;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows and changes registered concrete services. */
@Command(
    name = "services",
    description =
        "Shows the concrete services that are registered, or changes one. A running broker plans by"
            + " it at once.",
    sortOptions = false)
final class BrokerServicesCommand extends EngineCommand implements Callable<Integer> {
  private static final String SERVICES = "services";

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description =
          "The data folder of an engine, to be changed without asking that. Default: the running"
              + " engine of --url is asked.")
  private @Nullable Path data;

  @ArgGroup private @Nullable Wish wish;

  /** The item to change. */
  // Written by picocli.
  static final class Wish {
    @Option(
        names = "--put",
        paramLabel = "FILE",
        description = "Add the service of a JSON document, or change the one of its id.")
    private @Nullable Path put;

    @Option(
        names = "--withdraw",
        paramLabel = "ID",
        description = "Let a service be bound no more; calls that are bound to it stay so.")
    private @Nullable String withdraw;

    @Option(
        names = "--remove",
        paramLabel = "ID",
        description = "Forget a service: calls that are bound to it fail.")
    private @Nullable String remove;

    @Option(
        names = "--stateful",
        paramLabel = "NAME",
        description = "An abstract service keeps state: an instance calls one service only.")
    private @Nullable String stateful;

    @Option(
        names = "--stateless",
        paramLabel = "NAME",
        description = "An abstract service keeps no state for its callers any more.")
    private @Nullable String stateless;
  }

  @Override
  public Integer call() throws CommandFailure {
    Path folder = data;
    return folder == null ? callEngine() : callFolder(folder);
  }

  private int callEngine() throws CommandFailure {
    try (EngineClient client = client()) {
      if (wish != null) {
        change(client, wish);
      }
      JsonNode all = BrokerAnswers.check(client.broker(SERVICES));
      if (json()) {
        Output.json(out(), all);
      } else {
        all.path("items").forEach(each -> out().println(each));
      }
      return ExitStatus.OK;
    }
  }

  private static void change(EngineClient client, Wish wish) throws CommandFailure {
    if (wish.put != null) {
      byte[] document = Inputs.file(wish.put);
      String id = Inputs.json("@" + wish.put).path("id").asText();
      BrokerAnswers.check(client.putBroker(SERVICES + "/" + EngineClient.encoded(id), document));
    } else if (wish.withdraw != null) {
      String id = EngineClient.encoded(wish.withdraw);
      BrokerAnswers.check(client.withdraw(id));
    } else if (wish.remove != null) {
      String id = EngineClient.encoded(wish.remove);
      BrokerAnswers.check(client.deleteBroker(SERVICES + "/" + id));
    } else {
      throw new CommandFailure(
          ExitStatus.USAGE, "expected --data with --stateful and --stateless, found none");
    }
  }

  private int callFolder(Path folder) throws CommandFailure {
    BrokerDocuments documents = new BrokerDocuments(folder);
    List<Diagnostic> problems = new ArrayList<>();
    Registry registry =
        documents.exclusively(
            () -> {
              Registry before = documents.registry();
              Registry after = wish == null ? before : changed(before, wish, documents, problems);
              if (after.version() != before.version()) {
                write(documents, after);
              }
              return after;
            });
    if (!problems.isEmpty()) {
      return BrokerDocuments.refuse("service", problems, err());
    }
    tell(registry);
    return ExitStatus.OK;
  }

  private static void write(BrokerDocuments documents, Registry registry)
      throws IOException, CommandFailure {
    byte[] document = RegistryWriter.registry(registry);
    if (documents.reader().registry(document)
        instanceof TableReading.Invalid<Registry>(List<Diagnostic> problems)) {
      throw new CommandFailure(ExitStatus.DATA, problems.getFirst().message());
    }
    BrokerFolder.write(documents.folder().registry(), document);
  }

  private static Registry changed(
      Registry registry, Wish wish, BrokerDocuments documents, List<Diagnostic> problems)
      throws CommandFailure {
    if (wish.put != null) {
      return switch (documents.reader().service(Inputs.file(wish.put))) {
        case TableReading.Valid<RegisteredService>(RegisteredService service) ->
            registry.with(service);
        case TableReading.Invalid<RegisteredService>(List<Diagnostic> found) -> {
          problems.addAll(found);
          yield registry;
        }
      };
    }
    if (wish.withdraw != null) {
      Instant now = Instant.ofEpochMilli(Clock.system().epochMillis());
      RegisteredService service = known(registry, wish.withdraw);
      Instant from = service.from();
      return registry.with(service.withdrawn(from != null && from.isAfter(now) ? from : now));
    }
    if (wish.remove != null) {
      return registry.without(known(registry, wish.remove).id());
    }
    return wish.stateful != null
        ? registry.withStateful(wish.stateful, true)
        : registry.withStateful(String.valueOf(wish.stateless), false);
  }

  private static RegisteredService known(Registry registry, String id) throws CommandFailure {
    return registry
        .service(id)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitStatus.DATA,
                    "expected the id of a registered service, found \"" + id + "\""));
  }

  private void tell(Registry registry) throws CommandFailure {
    if (json()) {
      try {
        Output.json(out(), Output.JSON.readTree(RegistryWriter.registry(registry)));
      } catch (JsonProcessingException e) {
        throw new CommandFailure(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        throw new IllegalStateException("reading from memory failed", e);
      }
      return;
    }
    for (RegisteredService each : registry.services()) {
      out()
          .printf(
              "%s serves %s at %s%s%s%n",
              each.id(),
              String.join(", ", each.serves()),
              each.endpoint(),
              each.idempotent() ? "" : ", not idempotent",
              each.until() == null ? "" : ", until " + each.until());
    }
    out().println("version " + registry.version());
  }
}
