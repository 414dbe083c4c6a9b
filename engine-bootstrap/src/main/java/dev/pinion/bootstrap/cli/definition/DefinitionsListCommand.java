package dev.pinion.bootstrap.cli.definition;

import picocli.CommandLine.Command;

/** Lists definitions of a running engine. */
@Command(
    name = "list",
    description = "Lists the definitions of a running engine by namespace, name and version.",
    sortOptions = false)
final class DefinitionsListCommand extends DefinitionListing {}
