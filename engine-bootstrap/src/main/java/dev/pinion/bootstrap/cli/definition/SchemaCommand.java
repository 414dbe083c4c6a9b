package dev.pinion.bootstrap.cli.definition;

import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.model.DefinitionSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints the JSON Schema of definitions. */
@Command(
    name = "schema",
    description = {
      "Prints the JSON Schema (2020-12) of definitions, without an engine.",
      "Editors complete and check definitions by it."
    },
    sortOptions = false)
public final class SchemaCommand extends BaseCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    out().print(DefinitionSchema.text());
    out().flush();
    return ExitStatus.OK;
  }
}
