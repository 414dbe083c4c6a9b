package dev.pinion.bootstrap.cli.broker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.RegistryWriter;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
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

  @ArgGroup private @Nullable ChangeOptions changeOptions;

  /** The item to change. */
  // Written by picocli.
  static final class ChangeOptions {
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
  public Integer call() throws CommandException {
    Path folder = data;
    return folder == null ? callEngine() : callFolder(folder);
  }

  private int callEngine() throws CommandException {
    try (RestClient client = client()) {
      if (changeOptions != null) {
        change(client, changeOptions);
      }
      JsonNode all = BrokerResponses.check(client.broker(SERVICES));
      if (json()) {
        CommandOutput.json(out(), all);
      } else {
        all.path("items").forEach(each -> out().println(each));
      }
      return ExitStatus.OK;
    }
  }

  private static void change(RestClient client, ChangeOptions changeOptions)
      throws CommandException {
    if (changeOptions.put != null) {
      byte[] document = CommandInput.file(changeOptions.put);
      String id = CommandInput.json("@" + changeOptions.put).path("id").asText();
      BrokerResponses.check(client.putBroker(SERVICES + "/" + RestClient.encoded(id), document));
    } else if (changeOptions.withdraw != null) {
      String id = RestClient.encoded(changeOptions.withdraw);
      BrokerResponses.check(client.withdraw(id));
    } else if (changeOptions.remove != null) {
      String id = RestClient.encoded(changeOptions.remove);
      BrokerResponses.check(client.deleteBroker(SERVICES + "/" + id));
    } else {
      throw new CommandException(
          ExitStatus.USAGE, "expected --data with --stateful and --stateless, found none");
    }
  }

  private int callFolder(Path folder) throws CommandException {
    BrokerDocuments documents = new BrokerDocuments(folder);
    List<Diagnostic> problems = new ArrayList<>();
    ServiceRegistry serviceRegistry =
        documents.exclusively(
            () -> {
              ServiceRegistry before = documents.registry();
              ServiceRegistry after =
                  changeOptions == null
                      ? before
                      : changed(before, changeOptions, documents, problems);
              if (after.version() != before.version()) {
                write(documents, after);
              }
              return after;
            });
    if (!problems.isEmpty()) {
      return BrokerDocuments.refuse("service", problems, err());
    }
    print(serviceRegistry);
    return ExitStatus.OK;
  }

  private static void write(BrokerDocuments documents, ServiceRegistry serviceRegistry)
      throws IOException, CommandException {
    byte[] document = RegistryWriter.registry(serviceRegistry);
    if (documents.reader().registry(document)
        instanceof DocumentReading.Invalid<ServiceRegistry>(List<Diagnostic> problems)) {
      throw new CommandException(ExitStatus.DATA, problems.getFirst().message());
    }
    BrokerFolder.write(documents.folder().registry(), document);
  }

  private static ServiceRegistry changed(
      ServiceRegistry serviceRegistry,
      ChangeOptions changeOptions,
      BrokerDocuments documents,
      List<Diagnostic> problems)
      throws CommandException {
    if (changeOptions.put != null) {
      return switch (documents.reader().service(CommandInput.file(changeOptions.put))) {
        case DocumentReading.Valid<RegisteredService>(RegisteredService service) ->
            serviceRegistry.with(service);
        case DocumentReading.Invalid<RegisteredService>(List<Diagnostic> found) -> {
          problems.addAll(found);
          yield serviceRegistry;
        }
      };
    }
    if (changeOptions.withdraw != null) {
      Instant now = Instant.ofEpochMilli(Clock.system().epochMillis());
      RegisteredService service = known(serviceRegistry, changeOptions.withdraw);
      Instant from = service.from();
      return serviceRegistry.with(
          service.withdrawn(from != null && from.isAfter(now) ? from : now));
    }
    if (changeOptions.remove != null) {
      return serviceRegistry.without(known(serviceRegistry, changeOptions.remove).id());
    }
    return changeOptions.stateful != null
        ? serviceRegistry.withStateful(changeOptions.stateful, true)
        : serviceRegistry.withStateful(String.valueOf(changeOptions.stateless), false);
  }

  private static RegisteredService known(ServiceRegistry serviceRegistry, String id)
      throws CommandException {
    return serviceRegistry
        .service(id)
        .orElseThrow(
            () ->
                new CommandException(
                    ExitStatus.DATA,
                    "expected the id of a registered service, found \"" + id + "\""));
  }

  private void print(ServiceRegistry serviceRegistry) throws CommandException {
    if (json()) {
      try {
        CommandOutput.json(
            out(), CommandOutput.JSON.readTree(RegistryWriter.registry(serviceRegistry)));
      } catch (JsonProcessingException e) {
        throw new CommandException(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        throw new IllegalStateException("reading from memory failed", e);
      }
      return;
    }
    for (RegisteredService each : serviceRegistry.services()) {
      out()
          .printf(
              "%s serves %s at %s%s%s%n",
              each.id(),
              String.join(", ", each.serves()),
              each.endpoint(),
              each.idempotent() ? "" : ", not idempotent",
              each.until() == null ? "" : ", until " + each.until());
    }
    out().println("version " + serviceRegistry.version());
  }
}
