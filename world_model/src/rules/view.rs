//! A frame as mechanisms look at it when they predict.

use std::cell::OnceCell;

use env_client::{Action, Grid};

use super::{
    canvas::Canvas,
    law::mix,
    sprite::{Vector, color_at},
};
use crate::{Component, Scene};

/// A frame, what is done, and what is known beyond it.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) frame: &'a Grid,
    pub(super) action: Action,
    pub(super) canvas: &'a Canvas,
    scene: OnceCell<Scene>,
}

impl<'a> View<'a> {
    pub(super) fn new(frame: &'a Grid, action: Action, canvas: &'a Canvas) -> View<'a> {
        View { frame, action, canvas, scene: OnceCell::new() }
    }

    /// With a scene that was read already.
    pub(super) fn with_scene(frame: &'a Grid, action: Action, canvas: &'a Canvas, scene: Scene) -> View<'a> {
        View { frame, action, canvas, scene: OnceCell::from(scene) }
    }

    pub(super) fn scene(&self) -> &Scene {
        self.scene.get_or_init(|| Scene::of(self.frame))
    }

    /// The component at a cell.
    pub(super) fn component(&self, at: Vector) -> Option<&Component> {
        color_at(self.frame, at)?;
        let point = env_client::Point::new(at.x, at.y).ok()?;
        let scene = self.scene();
        scene.component_at(point).map(|index| &scene.components()[index])
    }

    /// The number of the action in the protocol.
    pub(super) fn number(&self) -> u64 {
        u64::from(self.action.id().number())
    }
}

/// What kind of component this is: its form in its colour.
pub(super) fn kind(component: &Component) -> u64 {
    mix(component.shape ^ component.color.index() as u64)
}
