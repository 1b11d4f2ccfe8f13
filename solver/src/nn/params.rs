//! The named tensors of a net, and how it gets them: fresh from a seed, or from a file.

use std::{collections::HashMap, fmt::Display};

use candle_core::{DType, Device, Shape, Tensor, Var};
use indexmap::IndexMap;

use super::Init;

/// Who changes a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The optimiser, at every step.
    Trained,
    /// Nobody: drawn once and kept, such as the initial state of a looped net.
    Constant,
    /// Sparse sign-SGD, row by row: one row a puzzle.
    Table,
    /// The optimiser, although it is a table of puzzles and no part of the net's size.
    TrainedTable,
}

/// Tensors that do not make up the net.
#[derive(Debug, thiserror::Error)]
pub enum ParamError {
    /// The net has a tensor that the file lacks.
    #[error("tensor {0} is missing")]
    Missing(String),
    /// The file has tensors that the net lacks.
    #[error("no tensor of this net is called {}", .0.join(", "))]
    Unexpected(Vec<String>),
    /// A tensor of another shape.
    #[error("tensor {name} has shape {found:?}, expected {expected:?}")]
    Shape {
        /// Which one.
        name: String,
        /// What the net needs.
        expected: Shape,
        /// What the file has.
        found: Shape,
    },
    /// The device refused.
    #[error(transparent)]
    Device(#[from] candle_core::Error),
}

/// What building a net, or a part of one, comes to.
pub type BuildResult<T> = Result<T, ParamError>;

/// The tensors of a net by name, in the order in which it is built.
#[derive(Clone, Debug, Default)]
pub struct Params(IndexMap<String, (Role, Var)>);

impl Params {
    /// All tensors with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Role, &Var)> {
        self.0.iter().map(|(name, (role, var))| (name.as_str(), *role, var))
    }

    /// Those the optimiser trains.
    pub fn trained(&self) -> impl Iterator<Item = (&str, &Var)> {
        let trained = |role| matches!(role, Role::Trained | Role::TrainedTable);
        self.iter().filter(move |(_, role, _)| trained(*role)).map(|(name, _, var)| (name, var))
    }

    /// The puzzle table.
    pub fn table(&self) -> Option<&Var> {
        self.iter().find(|(_, role, _)| *role == Role::Table).map(|(_, _, var)| var)
    }

    /// The tensor of that name.
    pub fn get(&self, name: &str) -> Option<&Var> {
        self.0.get(name).map(|(_, var)| var)
    }

    /// Numbers in all trained tensors: the size of the net without its table.
    pub fn count(&self) -> usize {
        self.iter().filter(|(_, role, _)| *role == Role::Trained).map(|(_, _, var)| var.elem_count()).sum()
    }
}

/// Where tensors come from.
#[derive(Debug)]
enum Origin {
    Fresh { seed: u64 },
    File(HashMap<String, Tensor>),
}

/// Makes a fresh tensor from the seed and its name.
trait Fresh: FnOnce(u64, &str) -> candle_core::Result<Tensor> {}

impl<F: FnOnce(u64, &str) -> candle_core::Result<Tensor>> Fresh for F {}

/// Builds a net's [`Params`] while the net is built.
///
/// # Examples
/// ```
/// use candle_core::Device;
/// use solver::nn::{Builder, Init};
///
/// let mut builder = Builder::fresh(1, &Device::Cpu);
/// let weight = builder.root().at("layers").at(0).trained("weight", (2, 3), Init::linear(3))?;
/// let params = builder.finish()?;
/// assert_eq!(params.count(), 6);
/// assert!(params.get("layers.0.weight").is_some());
/// # Ok::<(), solver::nn::ParamError>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    origin: Origin,
    device: Device,
    params: Params,
}

impl Builder {
    /// Tensors drawn anew.
    pub fn fresh(seed: u64, device: &Device) -> Builder {
        Builder { origin: Origin::Fresh { seed }, device: device.clone(), params: Params::default() }
    }

    /// Tensors of a file; any floating type becomes f32.
    pub fn from_tensors(tensors: HashMap<String, Tensor>, device: &Device) -> Builder {
        Builder { origin: Origin::File(tensors), device: device.clone(), params: Params::default() }
    }

    /// Where names begin.
    pub fn root(&mut self) -> Scope<'_> {
        Scope { builder: self, prefix: String::new() }
    }

    /// The tensors; an error if the file held more than the net asked for.
    pub fn finish(self) -> Result<Params, ParamError> {
        if let Origin::File(rest) = &self.origin
            && !rest.is_empty()
        {
            let mut names: Vec<String> = rest.keys().cloned().collect();
            names.sort();
            return Err(ParamError::Unexpected(names));
        }
        Ok(self.params)
    }

    fn take(&mut self, name: &str, shape: &Shape, fresh: impl Fresh) -> Result<Tensor, ParamError> {
        match &mut self.origin {
            Origin::Fresh { seed } => Ok(fresh(*seed, name)?),
            Origin::File(tensors) => {
                let tensor = tensors.remove(name).ok_or_else(|| ParamError::Missing(name.to_owned()))?;
                if tensor.shape() != shape {
                    let (expected, found) = (shape.clone(), tensor.shape().clone());
                    return Err(ParamError::Shape { name: name.to_owned(), expected, found });
                }
                Ok(tensor.to_dtype(DType::F32)?.to_device(&self.device)?)
            }
        }
    }
}

/// A prefix of names: a layer, or the whole net.
#[derive(Debug)]
pub struct Scope<'a> {
    builder: &'a mut Builder,
    prefix: String,
}

impl Scope<'_> {
    /// The scope `name` within this one.
    pub fn at(&mut self, name: impl Display) -> Scope<'_> {
        let prefix = format!("{}{name}.", self.prefix);
        Scope { builder: self.builder, prefix }
    }

    /// Where the tensors live.
    pub fn device(&self) -> &Device {
        &self.builder.device
    }

    /// A tensor that the optimiser trains.
    pub fn trained(&mut self, name: &str, shape: impl Into<Shape>, init: Init) -> Result<Tensor, ParamError> {
        self.tensor(Role::Trained, name, &shape.into(), init)
    }

    /// A tensor that stays as it was drawn.
    pub fn constant(&mut self, name: &str, shape: impl Into<Shape>, init: Init) -> Result<Tensor, ParamError> {
        self.tensor(Role::Constant, name, &shape.into(), init)
    }

    /// A table of rows, one a puzzle.
    pub fn table(&mut self, name: &str, shape: impl Into<Shape>, init: Init) -> Result<Tensor, ParamError> {
        self.tensor(Role::Table, name, &shape.into(), init)
    }

    /// Such a table for a net whose optimiser trains it like everything else.
    pub fn trained_table(&mut self, name: &str, shape: impl Into<Shape>, init: Init) -> Result<Tensor, ParamError> {
        self.tensor(Role::TrainedTable, name, &shape.into(), init)
    }

    /// A constant that a formula gives, and that published files hold nevertheless: theirs, where there is a file.
    pub fn buffer(&mut self, name: &str, fresh: &Tensor) -> Result<Tensor, ParamError> {
        let stored = self.named(Role::Constant, name, fresh.shape(), |_, _| Ok(fresh.clone()))?;
        Ok(stored.detach())
    }

    fn tensor(&mut self, role: Role, name: &str, shape: &Shape, init: Init) -> Result<Tensor, ParamError> {
        let device = self.builder.device.clone();
        self.named(role, name, shape, |seed, name| init.draw(seed, name, shape, &device))
    }

    /// The tensor shares its storage with the variable in [`Params`]: an optimiser's step is seen at once.
    fn named(&mut self, role: Role, name: &str, shape: &Shape, fresh: impl Fresh) -> Result<Tensor, ParamError> {
        let name = format!("{}{name}", self.prefix);
        let var = Var::from_tensor(&self.builder.take(&name, shape, fresh)?)?;
        let tensor = var.as_tensor().clone();
        let earlier = self.builder.params.0.insert(name, (role, var));
        assert!(earlier.is_none(), "a net names each of its tensors once");
        Ok(tensor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensors(names: &[&str]) -> HashMap<String, Tensor> {
        names.iter().map(|name| ((*name).to_owned(), Tensor::zeros(2, DType::F16, &Device::Cpu).unwrap())).collect()
    }

    #[test]
    fn a_file_must_hold_exactly_what_the_net_needs() {
        let build = |names: &[&str], size: usize| -> Result<Params, ParamError> {
            let mut builder = Builder::from_tensors(tensors(names), &Device::Cpu);
            builder.root().at("a").trained("w", size, Init::ZERO)?;
            builder.finish()
        };
        assert_eq!(build(&["a.w"], 2).unwrap().get("a.w").unwrap().dtype(), DType::F32);
        assert_eq!(build(&["b.w"], 2).unwrap_err().to_string(), "tensor a.w is missing");
        assert_eq!(build(&["a.w", "c", "b"], 2).unwrap_err().to_string(), "no tensor of this net is called b, c");
        assert_eq!(build(&["a.w"], 3).unwrap_err().to_string(), "tensor a.w has shape [2], expected [3]");
    }

    #[test]
    fn a_net_sees_what_its_variable_becomes() {
        let mut builder = Builder::fresh(0, &Device::Cpu);
        let tensor = builder.root().trained("w", 2, Init::ZERO).unwrap();
        let constant = builder.root().constant("c", 5, Init::ZERO).unwrap();
        let params = builder.finish().unwrap();
        params.get("w").unwrap().set(&Tensor::new(&[1f32, 2.0], &Device::Cpu).unwrap()).unwrap();
        assert_eq!(tensor.to_vec1::<f32>().unwrap(), [1.0, 2.0]);
        assert_eq!((params.count(), constant.elem_count()), (2, 5));
    }
}
