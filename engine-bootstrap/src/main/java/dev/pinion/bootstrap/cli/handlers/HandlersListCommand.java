package dev.pinion.bootstrap.cli.handlers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.config.HandlerKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the kinds of handlers on the class path, and in further jars. */
@Command(
    name = "list",
    description = "Lists the kinds of handlers that chains can use.",
    sortOptions = false)
final class HandlersListCommand extends BaseCommand implements Callable<Integer> {
  /** Kinds to list instead of the installed ones; null for the installed ones. */
  private final @Nullable HandlerKinds given;

  @Mixin private final HandlersPath path = new HandlersPath();

  HandlersListCommand() {
    this(null);
  }

  HandlersListCommand(@Nullable HandlerKinds given) {
    this.given = given;
  }

  @Override
  public Integer call() throws CommandException {
    HandlerKinds kinds = given == null ? path.kinds() : given;
    List<List<String>> rows = new ArrayList<>(List.of(List.of("KIND", "WHAT IT DOES")));
    ArrayNode list = CommandOutput.JSON.createArrayNode();
    for (HandlerFactory factory : kinds.byName().values()) {
      rows.add(List.of(factory.name(), factory.summary()));
      list.addObject().put("name", factory.name()).put("summary", factory.summary());
    }
    if (json()) {
      CommandOutput.json(out(), list);
    } else if (rows.size() == 1) {
      out().println("no kinds of handlers are installed");
    } else {
      CommandOutput.table(out(), rows);
    }
    return ExitStatus.OK;
  }
}
