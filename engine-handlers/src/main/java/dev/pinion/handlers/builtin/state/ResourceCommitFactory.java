package dev.pinion.handlers.builtin.state;

import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.HandlerProblem;
import dev.pinion.handlers.builtin.SharedFiles;
import java.sql.SQLException;

/** Commits the changes of resources that earlier handlers of the chain have prepared. */
public final class ResourceCommitFactory implements HandlerFactory {
  /** For the service loader. */
  public ResourceCommitFactory() {}

  @Override
  public String name() {
    return "resource-commit";
  }

  @Override
  public String summary() {
    return "Commits what the handlers \"resource\" of its chain have prepared.";
  }

  @Override
  public Handler create(Settings settings) {
    return new Commit(ResourceTable.opened(settings));
  }

  private record Commit(SharedFiles.Lease<ResourceTable> table) implements CommitPoint {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.stopping().mandatory().with(EffectClass.ATOMIC).with(Work.IO);
    }

    /** Commits; a change that was prepared too long ago may have been dropped by then. */
    @Override
    public Verdict handle(View message) throws SQLException {
      return table.value().commit(message.id()) > 0
          ? Verdict.UNCHANGED
          : HandlerProblem.RESOURCE_CHANGED.refuse(
              "expected a change that was prepared for this message, found none: it took longer"
                  + " than its patience");
    }

    @Override
    public void rollBack(View message) throws SQLException {
      var _ = table.value().rollBack(message.id());
    }

    @Override
    public void close() {
      table.close();
    }
  }
}
