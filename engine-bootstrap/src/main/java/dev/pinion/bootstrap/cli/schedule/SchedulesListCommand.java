package dev.pinion.bootstrap.cli.schedule;

import picocli.CommandLine.Command;

/** Lists schedules of a running engine. */
@Command(
    name = "list",
    description = "Lists the schedules of a running engine by namespace and name.",
    sortOptions = false)
final class SchedulesListCommand extends ScheduleListing {}
