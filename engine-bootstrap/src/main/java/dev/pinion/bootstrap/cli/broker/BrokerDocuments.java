package dev.pinion.bootstrap.cli.broker;

import dev.pinion.bootstrap.assembly.BindingTableFile;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.datadir.OwnerOnlyPermissions;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** The broker's documents in a data folder, for commands. */
final class BrokerDocuments {
  private final Path data;
  private final BrokerFolder folder;
  private final RegistryReader reader;

  BrokerDocuments(Path dataDirectory) {
    data = dataDirectory;
    folder = new BrokerFolder(dataDirectory);
    ExpressionCompiler compiler = new ExpressionCompiler(EngineLimits.defaults());
    reader = new RegistryReader(source -> BindingTableFile.problem(compiler, source));
  }

  /** A change of documents, made under an exclusive lock. */
  @FunctionalInterface
  interface DocumentChange<T> {
    T make() throws IOException, CommandException;
  }

  /** Creates the data folder too if it is missing: documents may exist before an engine does. */
  <T> T exclusively(DocumentChange<T> documentChange) throws CommandException {
    try {
      OwnerOnlyPermissions.createDirectories(data);
      try (BrokerFolder.WriteLock _ = folder.lock()) {
        return documentChange.make();
      }
    } catch (IOException e) {
      throw new CommandException(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
  }

  RegistryReader reader() {
    return reader;
  }

  BrokerFolder folder() {
    return folder;
  }

  /** The registry, empty before the first registration. */
  ServiceRegistry registry() throws IOException, CommandException {
    byte[] document = BrokerFolder.read(folder.registry(), RegistryReader.MAX_BYTES);
    return document == null
        ? ServiceRegistry.EMPTY
        : valid(reader.registry(document), folder.registry().toString());
  }

  /** Version of the table, 0 before the first one. */
  long tableVersion() throws IOException, CommandException {
    byte[] document = BrokerFolder.read(folder.table(), RegistryReader.MAX_BYTES);
    if (document == null) {
      return 0;
    }
    PublishedTable table = valid(reader.table(document), folder.table().toString());
    return table.version();
  }

  private static <T> T valid(DocumentReading<T> reading, String file) throws CommandException {
    return switch (reading) {
      case DocumentReading.Valid<T>(T value) -> value;
      case DocumentReading.Invalid<T>(List<Diagnostic> problems) ->
          throw new CommandException(ExitStatus.DATA, file + ":" + problems.getFirst());
    };
  }

  /** Prints the problems of a document; returns the exit status. */
  static int refuse(String file, List<Diagnostic> problems, PrintWriter err) {
    problems.forEach(each -> err.println(file + ":" + DiagnosticText.line(each)));
    return ExitStatus.DATA;
  }
}
