// SPDX-License-Identifier: Apache-2.0
//
//! Copies of arrays, made with what polars-arrow has for that.
use polars_arrow::array::*;
use polars_arrow::bitmap::Bitmap;
use polars_arrow::compute::concatenate::concatenate;
use polars_arrow::datatypes::{ArrowDataType, PhysicalType};
use polars_arrow::match_integer_type;
use polars_arrow::offset::{Offset, OffsetsBuffer};

use crate::Failure;

type Copied = Result<Box<dyn Array>, Failure>;

/// The same rows in memory of polars-arrow's own.
pub fn copied(array: &dyn Array) -> Copied {
    match array.dtype().to_physical_type() {
        PhysicalType::Struct => copied_struct(of(array)),
        PhysicalType::List => copied_list::<i32>(of(array)),
        PhysicalType::LargeList => copied_list::<i64>(of(array)),
        PhysicalType::FixedSizeList => copied_fixed_size_list(of(array)),
        PhysicalType::Map => copied_map(of(array)),
        PhysicalType::Union => copied_union(of(array)),
        PhysicalType::Dictionary(keys) => {
            match_integer_type!(keys, |$T| copied_dictionary::<$T>(of(array)))
        }
        PhysicalType::BinaryView => {
            let copy = copied_leaf(array)?;
            Ok(of::<BinaryViewArray>(copy.as_ref()).clone().gc().boxed())
        }
        PhysicalType::Utf8View => {
            let copy = copied_leaf(array)?;
            Ok(of::<Utf8ViewArray>(copy.as_ref()).clone().gc().boxed())
        }
        _ => copied_leaf(array),
    }
}

/// The same rows as a slice, with nulls in front of it. Of some types polars-arrow makes no other
/// arrays than whole ones: those stay as they are.
pub fn sliced_behind(rows: usize, array: Box<dyn Array>) -> Copied {
    if rows == 0 || !can_be_concatenated(array.dtype()) {
        return Ok(array);
    }
    let nulls = new_null_array(array.dtype().clone(), rows);
    let both = concatenate(&[nulls.as_ref(), array.as_ref()])?;
    Ok(both.sliced(rows, array.len()))
}

/// `concatenate` panics for the others.
fn can_be_concatenated(dtype: &ArrowDataType) -> bool {
    use ArrowDataType::*;
    match dtype.to_storage() {
        Struct(fields) => fields
            .iter()
            .all(|field| can_be_concatenated(field.dtype())),
        List(field) | LargeList(field) | FixedSizeList(field, _) => {
            can_be_concatenated(field.dtype())
        }
        Union(_) | Map(_, _) | Dictionary(_, _, _) => false,
        _ => true,
    }
}

fn of<T: Array>(array: &dyn Array) -> &T {
    array.as_any().downcast_ref().expect("the type's own array")
}

/// `concatenate` hands a single array on as it is: a null is put behind it, and cut off again.
fn copied_leaf(array: &dyn Array) -> Copied {
    let null = new_null_array(array.dtype().clone(), 1);
    let both = concatenate(&[array, null.as_ref()])?;
    Ok(both.sliced(0, array.len()))
}

fn copied_bits(bits: Option<&Bitmap>) -> Option<Bitmap> {
    bits.map(|bits| bits.iter().collect())
}

fn copied_offsets<O: Offset>(offsets: &OffsetsBuffer<O>) -> Result<OffsetsBuffer<O>, Failure> {
    Ok(OffsetsBuffer::try_from(
        offsets.buffer().as_slice().to_vec(),
    )?)
}

fn copied_struct(array: &StructArray) -> Copied {
    let values = array.values().iter().map(|values| copied(values.as_ref()));
    Ok(StructArray::try_new(
        array.dtype().clone(),
        array.len(),
        values.collect::<Result<_, _>>()?,
        copied_bits(array.validity()),
    )?
    .boxed())
}

fn copied_list<O: Offset>(array: &ListArray<O>) -> Copied {
    Ok(ListArray::try_new(
        array.dtype().clone(),
        copied_offsets(array.offsets())?,
        copied(array.values().as_ref())?,
        copied_bits(array.validity()),
    )?
    .boxed())
}

fn copied_fixed_size_list(array: &FixedSizeListArray) -> Copied {
    Ok(FixedSizeListArray::try_new(
        array.dtype().clone(),
        array.len(),
        copied(array.values().as_ref())?,
        copied_bits(array.validity()),
    )?
    .boxed())
}

fn copied_map(array: &MapArray) -> Copied {
    Ok(MapArray::try_new(
        array.dtype().clone(),
        copied_offsets(array.offsets())?,
        copied(array.field().as_ref())?,
        copied_bits(array.validity()),
    )?
    .boxed())
}

/// The fields of a sparse union that is a slice are as long as before: `index` knows where it begins.
fn copied_union(array: &UnionArray) -> Copied {
    let whole = array.offsets().is_some() || array.is_empty();
    let first = if whole { 0 } else { array.index(0).1 };
    let fields = array.fields().iter().map(|field| match whole {
        true => copied(field.as_ref()),
        false => copied(field.sliced(first, array.len()).as_ref()),
    });
    Ok(UnionArray::try_new(
        array.dtype().clone(),
        array.types().as_slice().to_vec().into(),
        fields.collect::<Result<_, _>>()?,
        array
            .offsets()
            .map(|offsets| offsets.as_slice().to_vec().into()),
    )?
    .boxed())
}

fn copied_dictionary<K: DictionaryKey>(array: &DictionaryArray<K>) -> Copied {
    let keys = copied_leaf(array.keys())?;
    Ok(DictionaryArray::<K>::try_new(
        array.dtype().clone(),
        of::<PrimitiveArray<K>>(keys.as_ref()).clone(),
        copied(array.values().as_ref())?,
    )?
    .boxed())
}
